/**
 * An operator who suspends and resumes organizations on any replica, and writes down between which moments each was
 * suspended for certain, and how many charges its ledger held then.
 */
import { setTimeout } from "node:timers/promises"
import { operatorToken } from "@postcode/conformance/wire"
import type { RandomNumbers } from "../../test/RandomNumbers.ts"
import type { Attempt, Scene } from "../kit/Clients.ts"
import type { Wrong } from "../kit/LedgerRow.ts"
import type { PostgresServer } from "../kit/postgres/index.ts"

/** A time in which no charge of an account may be made. */
export interface Suspension {
  readonly account: string
  /** When the suspension was acknowledged, by `performance.now`. */
  readonly acknowledged_ms: number
  /** When the resumption was sent. */
  readonly resumed_ms: number
  /** The charges in the ledger, read after the acknowledgement and again before the resumption. */
  readonly charges: readonly [first: number, last: number]
  /** Whether an earlier resumption without an answer took effect meanwhile; charges were allowed then. */
  readonly wasLifted: boolean
}

/** Suspends one account after the other until it is told to stop; in the end every account is active. */
export const runSuspensions = async (
  server: PostgresServer,
  { payers, ports }: Scene,
  random: RandomNumbers,
  signal: AbortSignal,
  record: (suspension: Suspension) => void
): Promise<void> => {
  /** Accounts with a resumption without an answer: on a busy machine it may take effect in a later suspension. */
  const inDoubt = new Set<string>()
  while (!signal.aborted) {
    const { account } = pick(payers, random)
    const change = (to: "resume" | "suspend") => untilAcknowledged(ports, random, account, to)
    await change("suspend")
    const acknowledged_ms = performance.now()
    const first = await readAccount(server, account)
    await setTimeout(500 * random())
    const last = await readAccount(server, account)
    const resumed_ms = performance.now()
    const wasLifted = last.isActive && inDoubt.has(account)
    if ((await change("resume")) > 1) inDoubt.add(account)
    record({ account, acknowledged_ms, resumed_ms, charges: [first.charges, last.charges], wasLifted })
    await setTimeout(500 * random())
  }
}

/** No charge was acknowledged of a request that was sent and answered in a suspension, and the ledger had no new one. */
export const wrongSuspensions = (all: ReadonlyArray<Suspension>, attempts: ReadonlyArray<Attempt>): Wrong => {
  const suspensions = all.filter(({ wasLifted }) => !wasLifted)
  const charged = attempts.filter((attempt) => attempt.status === 200 && attempt.charged > 0)
  const acknowledged = suspensions.flatMap(({ account, acknowledged_ms, resumed_ms }) =>
    charged
      .filter((one) => one.account === account && one.sent_ms > acknowledged_ms && one.answered_ms < resumed_ms)
      .map(({ request_id }) => `${request_id}: charged, though ${account} was suspended`)
  )
  const written = suspensions
    .filter(({ charges: [first, last] }) => first !== last)
    .map(({ account, charges: [first, last] }) => `${account}: ${last - first} charges while it was suspended`)
  return {
    "a charge that was acknowledged in a suspension": acknowledged,
    "a charge that was written in a suspension": written
  }
}

/** A change may be repeated, so it is sent until a replica has acknowledged it. Returns how often it was sent. */
const untilAcknowledged = async (
  ports: ReadonlyArray<number>,
  random: RandomNumbers,
  account: string,
  to: "resume" | "suspend"
): Promise<number> => {
  const [organization] = account.split(" ")
  for (let sent = 1; ; sent++) {
    try {
      const response = await fetch(
        `http://127.0.0.1:${pick(ports, random)}/v1/admin/organizations/${organization}/${to}`,
        {
          method: "POST",
          headers: { authorization: `Bearer ${operatorToken}`, "content-type": "application/json" },
          body: JSON.stringify({ reason: "for a test" }),
          signal: AbortSignal.timeout(outageTimeout_ms)
        }
      )
      await response.arrayBuffer()
      if (response.status === 200) return sent
      if (response.status !== 503) throw new UnexpectedAnswer(`${to} was answered ${response.status}`)
    } catch (error) {
      if (error instanceof UnexpectedAnswer) throw error
      // The replica or its database is down.
    }
    await setTimeout(50 + 100 * random())
  }
}

class UnexpectedAnswer extends Error {}

const outageTimeout_ms = 15_000

interface ReadAccount {
  readonly isActive: boolean
  readonly charges: number
}

/** Corrections are no charges: they can be made of a suspended organization. */
const readAccount = async (server: PostgresServer, account: string): Promise<ReadAccount> => {
  for (;;) {
    try {
      const client = await server.connect()
      const { rows } = await client.query(
        `SELECT o.status = 'active' AS "isActive", (
          SELECT count(*)::integer FROM postcode.ledger_entries
          WHERE organization_id || ' ' || environment = '${account}' AND key_id IS NOT NULL
        ) AS charges
        FROM postcode.organizations o WHERE o.id = '${account.split(" ")[0]}'`
      )
      await client.end()
      return rows[0]
    } catch {
      // The database is down, as it has to be now and then.
      await setTimeout(50)
    }
  }
}

const pick = <A>(from: ReadonlyArray<A>, random: RandomNumbers): A => from[Math.floor(random() * from.length)] as A
