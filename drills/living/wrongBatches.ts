/** Holds what was sent and answered against what the database holds. */

import type { Wrong } from "../kit/LedgerRow.ts"
import { type Batch, describeUnit } from "./ChangeStream.ts"
import type { JournalEntry } from "./Journal.ts"
import type { StoredBatch, StoredChange, StoredDirectory } from "./StoredDirectory.ts"

/** A batch that was answered. */
export interface Answered {
  readonly batch: Batch
  readonly entry: JournalEntry
}

type Stored = Pick<StoredDirectory, "audited" | "batches" | "changes" | "rows">

/** @param answered every batch that was sent, in the order of its stream */
export const wrongBatches = (answered: ReadonlyArray<Answered>, stored: Stored): Wrong => {
  const batches = new Map(stored.batches.map((batch) => [batch.reference, batch]))
  const wrong: Record<keyof typeof promises, Array<string>> = { lost: [], part: [], unknown: [], answer: [], audit: [] }
  for (const { batch, entry } of answered) {
    const found = batches.get(batch.reference)
    batches.delete(batch.reference)
    if (batch.effects === undefined) {
      if (found !== undefined) wrong.unknown.push(`${batch.reference}: was refused`)
      continue
    }
    if (found === undefined) {
      wrong.lost.push(batch.reference)
      continue
    }
    const difference = differenceOf(batch, stored.rows.slice(found.first_change - 1, found.last_change))
    if (difference !== undefined) wrong.part.push(`${batch.reference}: ${difference}`)
    const reason = wrongAnswer(batch, entry, found)
    if (reason !== undefined) wrong.answer.push(`${batch.reference}: ${reason}`)
    const entries = stored.audited.get(batch.reference) ?? 0
    if (entries !== (batch.effects.length > 0 ? 1 : 0)) wrong.audit.push(`${batch.reference}: ${entries} entries`)
  }
  for (const reference of batches.keys()) wrong.unknown.push(reference)
  return {
    ...Object.fromEntries(
      Object.entries(promises).map(([name, promise]) => [promise, wrong[name as keyof typeof wrong]])
    ),
    "a gap or a repetition in the numbers of changes": wrongNumbers(stored)
  }
}

const promises = {
  lost: "a batch that was confirmed and is not stored",
  part: "a batch that is stored in part, or with other changes",
  unknown: "a batch that is stored and should not be",
  answer: "an answer that differs from what is stored",
  audit: "a batch without its one entry in the audit log"
} as const

const differenceOf = ({ effects = [], reference }: Batch, rows: ReadonlyArray<StoredChange>): string | undefined => {
  if (rows.length !== effects.length) return `${rows.length} changes in place of ${effects.length}`
  for (const [at, { kind, unit }] of effects.entries()) {
    const row = rows[at] as StoredChange
    const [found, expected] = [`${row.kind} ${describeUnit(row.unit)}`, `${kind} ${describeUnit(unit)}`]
    if (row.reference !== reference || found !== expected) return `${row.reference} ${found} in place of ${expected}`
  }
  return undefined
}

const wrongAnswer = ({ changes, effects = [] }: Batch, { applied }: JournalEntry, found: StoredBatch) => {
  const expected = { applied: effects.length, unchanged: changes.length - effects.length }
  const version = /\+(\d+)$/.exec(applied?.version ?? "")?.[1] ?? "0"
  return applied?.applied === expected.applied &&
    applied.unchanged === expected.unchanged &&
    found.unchanged === expected.unchanged &&
    Number(version) === found.last_change
    ? undefined
    : `${JSON.stringify(applied)} in place of ${JSON.stringify({ ...expected, last: found.last_change })}`
}

const wrongNumbers = ({ batches, changes, rows }: Stored): ReadonlyArray<string> => {
  const wrong = rows
    .filter(({ number }, at) => number !== at + 1)
    .map(({ number, reference }) => `change ${number} of ${reference}`)
  let last = 0
  for (const { first_change, last_change, reference } of batches) {
    if (first_change !== last + 1) wrong.push(`${reference} begins with ${first_change} after ${last}`)
    last = last_change
  }
  if (last !== changes || rows.length !== changes) {
    wrong.push(`the edition has ${changes} changes, batches end with ${last}, and there are ${rows.length} rows`)
  }
  return wrong
}
