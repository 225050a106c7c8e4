/**
 * A database that pays is backed up and its log archived by pgBackRest, while clients pay. It is destroyed, restored to
 * the end of the archive and to a named second, and each charge is compared.
 */
import { chmod } from "node:fs/promises"
import { setTimeout } from "node:timers/promises"
import { makeScene, settings, untilCharged } from "../durability/DataScene.ts"
import type { Attempt } from "../kit/Clients.ts"
import type { Wrong } from "../kit/LedgerRow.ts"
import { connectToAddress } from "../kit/postgres/index.ts"
import { temporaryFolder } from "../kit/TemporaryFolder.ts"
import { findWrong, readLedger, unequalBalances } from "../kit/Verdict.ts"
import { BackedUpServer } from "./BackedUpServer.ts"

export interface RecoveryOptions {
  /** How long clients pay after the backup, before and after the named second. */
  readonly seconds: number
  readonly clients: number
  readonly seed: number
  readonly progress: (message: string) => void
}

export interface RecoveryReport {
  /** Charges that were answered before the disk was lost. */
  readonly charged: number
  /** Until the last charge that the archive has, from the loss of the disk back. */
  readonly lost_s: number
  readonly lostCharges: number
  /** Charges that were compared at the named second: answered before it, or sent after it. */
  readonly compared: number
  /** From the start of a restore to the first query: to the end, and to the named second. */
  readonly restored_s: readonly [latest: number, named: number]
  readonly wrong: Wrong
}

export const runRecovery = async ({ clients, progress, seconds, seed }: RecoveryOptions): Promise<RecoveryReport> => {
  await using folder = await temporaryFolder()
  await chmod(folder.path, 0o755)
  progress("starting PostgreSQL, with its log archived by pgBackRest")
  const server = await BackedUpServer.create(folder.path)
  try {
    return await destroyAndRestore(server, { clients, progress, seconds, seed })
  } finally {
    await server.stop()
  }
}

const secrets = {
  POSTCODE_IDENTIFIER_PEPPER: "a-pepper-for-recoveries-and-nothing-else",
  POSTCODE_SESSION_KEYS: "first:a-signing-key-for-recoveries-and-nothing-else"
}

const destroyAndRestore = async (
  server: BackedUpServer,
  { clients, progress, seconds, seed }: RecoveryOptions
): Promise<RecoveryReport> => {
  const scene = await makeScene({ ...settings, ...secrets, DATABASE_URL: server.url }, clients, seed)
  let named_ms = 0
  let named = ""
  let lost_ms = 0
  try {
    await untilCharged(scene, 100)
    progress("taking a full backup while clients pay")
    await server.backUp()
    await setTimeout(seconds * 1_000)
    await untilCharged(scene, 100)
    named_ms = performance.now()
    // Rounded up, so that it is after all that was answered.
    named = new Date(Date.now() + 1).toISOString()
    await setTimeout(seconds * 1_000)
    await untilCharged(scene, 100)
    progress("losing the server and its disk")
    lost_ms = performance.now()
    await server.destroy()
  } finally {
    await scene.calm()
    await scene.service.stop()
  }
  const acknowledged = scene.attempts.filter(
    ({ answered_ms, charged, status }) => status === 200 && charged > 0 && answered_ms < lost_ms
  )
  progress("restoring to the end of the archived log")
  const latest = await restored(server, "latest")
  const isKept = ({ request_id }: Attempt) => latest.amounts.has(request_id)
  const missing = acknowledged.filter((attempt) => !isKept(attempt))
  const lastKept_ms = acknowledged.filter(isKept).reduce((most, { answered_ms }) => Math.max(most, answered_ms), 0)
  progress("restoring to a named second")
  const second = await restored(server, named)
  const before = acknowledged.filter(({ answered_ms }) => answered_ms < named_ms)
  const after = scene.attempts.filter(({ sent_ms }) => sent_ms > named_ms + 5)
  const known = scene.attempts.filter(({ request_id }) => second.amounts.has(request_id))
  return {
    charged: acknowledged.length,
    lost_s: (lost_ms - lastKept_ms) / 1_000,
    lostCharges: missing.length,
    compared: before.length + after.length,
    restored_s: [latest.took_s, second.took_s],
    wrong: {
      ...findWrong(known, second.ledger.rows, second.ledger.balances),
      "a charge from before the named second that is missing or differs": before
        .filter(({ charged, request_id }) => second.amounts.get(request_id) !== -charged)
        .map(({ request_id }) => request_id),
      "a charge from after the named second": after
        .filter(({ request_id }) => second.amounts.has(request_id))
        .map(({ request_id }) => request_id),
      "a balance that differs from the sum of its rows": [...latest.unequal, ...second.unequal]
    }
  }
}

/** The ledger after a restore. */
const restored = async (server: BackedUpServer, target: string) => {
  const start_ms = performance.now()
  await server.restore(target)
  const client = await connectToAddress(server.url)
  const took_s = (performance.now() - start_ms) / 1_000
  const ledger = await readLedger(client)
  const unequal = await unequalBalances(client)
  await client.end()
  return { took_s, ledger, unequal, amounts: new Map(ledger.rows.map(({ amount, reference }) => [reference, amount])) }
}
