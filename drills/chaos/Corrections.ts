/**
 * Operators who correct balances on any replica, and write down what they sent and what they were answered. Each
 * correction is sent to two replicas at once, and again until there is an answer.
 */
import { setTimeout } from "node:timers/promises"
import { operatorToken } from "@postcode/conformance/wire"
import type { RandomNumbers } from "../../test/RandomNumbers.ts"
import type { Scene } from "../kit/Clients.ts"
import { groupBy } from "../kit/groupBy.ts"
import { isCorrection, type LedgerRow, type Wrong } from "../kit/LedgerRow.ts"

/** One request as it went out, and what came of it. */
export interface CorrectionAttempt {
  readonly account: string
  readonly reference: string
  readonly kind: "adjustment" | "refund"
  readonly amount: number
  /** 0 if the answer was lost. */
  readonly status: number
  /** The answer of a 201. */
  readonly answer: { readonly entry_id: string; readonly balance: number } | undefined
}

type Correction = Omit<CorrectionAttempt, "answer" | "status">

/** Corrects one balance after the other until it is told to stop. */
export const runOperator = async (
  name: string,
  { payers, ports }: Scene,
  random: RandomNumbers,
  signal: AbortSignal,
  record: (attempt: CorrectionAttempt) => void
): Promise<void> => {
  for (let number = 1; !signal.aborted; number++) {
    const account = pick(payers, random).account
    const amount = (1 + Math.floor(20 * random())) * pick([1, -1], random)
    const correction: Correction = {
      ...{ account, amount, reference: `${name}-${number}` },
      kind: pick(["adjustment", "refund"], random)
    }
    for (let attempt = 1; attempt <= mostAttempts; attempt++) {
      const two = [pick(ports, random), pick(ports, random)]
      const attempts = await Promise.all(two.map((port) => send(port, correction)))
      attempts.forEach(record)
      if (attempts.some(({ status }) => status !== 0 && status !== 503)) break
      await setTimeout(50 + 200 * random())
    }
    await setTimeout(100 * random())
  }
}

const mostAttempts = 60
const outageTimeout_ms = 15_000

const send = async (port: number, correction: Correction): Promise<CorrectionAttempt> => {
  const { account, ...body } = correction
  const [organization, environment] = account.split(" ")
  try {
    const response = await fetch(
      `http://127.0.0.1:${port}/v1/admin/organizations/${organization}/credits/corrections`,
      {
        method: "POST",
        headers: { authorization: `Bearer ${operatorToken}`, "content-type": "application/json" },
        body: JSON.stringify({ ...body, environment, reason: "for a test" }),
        signal: AbortSignal.timeout(outageTimeout_ms)
      }
    )
    // An answer counts once it was read to its end.
    const { data } = (await response.json()) as { readonly data?: CorrectionAttempt["answer"] }
    return { ...correction, status: response.status, answer: data }
  } catch {
    return { ...correction, status: 0, answer: undefined }
  }
}

/** Every correction that was acknowledged stands in the ledger once, and every such row was asked for. */
export const wrongCorrections = (attempts: ReadonlyArray<CorrectionAttempt>, rows: ReadonlyArray<LedgerRow>): Wrong => {
  const rowsOf = groupBy(rows.filter(isCorrection), ({ reference }) => reference)
  const sent = groupBy(attempts, ({ reference }) => reference)
  const wrong: Array<string> = []
  const repeated: Array<string> = []
  for (const [reference, own] of sent) {
    const found = rowsOf.get(reference) ?? []
    if (found.length > 1) repeated.push(`${reference}: ${found.length} rows`)
    for (const { account, amount, answer, kind, status } of own) {
      const [row] = found
      const fits =
        row?.account === account &&
        row.amount === amount &&
        row.reason === kind &&
        row.balance_after === answer?.balance
      if (status === 201 && !(fits && row.id === answer?.entry_id)) {
        wrong.push(`${reference}: ${kind} of ${amount}, answered ${JSON.stringify(answer)}: ${JSON.stringify(row)}`)
      }
      if (status !== 201 && status !== 503 && status !== 0 && found.length > 0) {
        wrong.push(`${reference}: answered ${status}, and made all the same`)
      }
    }
  }
  const unknown = [...rowsOf.values()].flat().filter(({ reference }) => !sent.has(reference))
  return {
    "a correction without its row": wrong,
    "a correction with several rows": repeated,
    "a correction that nobody made": unknown.map((row) => JSON.stringify(row))
  }
}

const pick = <A>(from: ReadonlyArray<A>, random: RandomNumbers): A => from[Math.floor(random() * from.length)] as A
