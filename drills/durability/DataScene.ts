/** A service on a data folder with clients that pay, to see what becomes of their charges. */
import { join } from "node:path"
import { operatorToken } from "@postcode/conformance/wire"
import { randomNumbers } from "../../test/RandomNumbers.ts"
import { type Attempt, runClient, type Scene } from "../kit/Clients.ts"
import type { Wrong } from "../kit/LedgerRow.ts"
import { importForClients, makePayers } from "../kit/Payers.ts"
import { connectToFolder } from "../kit/postgres/index.ts"
import { Replica } from "../kit/Replica.ts"
import { temporaryFolder } from "../kit/TemporaryFolder.ts"
import { until } from "../kit/until.ts"
import { judge, unequalBalances } from "../kit/Verdict.ts"

/** What the service needs in its environment besides its data. */
export const settings = {
  POSTCODE_OPERATOR_TOKEN: operatorToken,
  POSTCODE_KEY_RATE_LIMIT: "1000000",
  POSTCODE_ADDRESS_RATE_LIMIT: "1000000"
}

export interface DataScene {
  readonly service: Replica
  readonly attempts: ReadonlyArray<Attempt>
  /** How many answers charged something so far. */
  readonly charged: () => number
  /** Ends the clients. */
  readonly calm: () => Promise<void>
}

/**
 * Imports a directory, starts the service, and has clients pay until they are told to stop.
 *
 * @param env of the import and the service: where they keep their data
 */
export const makeScene = async (
  env: Readonly<Record<string, string>>,
  clients: number,
  seed: number
): Promise<DataScene> => {
  await using folder = await temporaryFolder()
  const postcodes = await importForClients(join(folder.path, "nigeria"), env)
  const service = await Replica.start(env)
  const scene: Scene = { ports: [service.port], payers: await makePayers(service.port), postcodes }
  const attempts: Array<Attempt> = []
  const abort = new AbortController()
  const running = Array.from({ length: clients }, (_, i) =>
    runClient(`c${i}`, scene, randomNumbers(seed * 1_000 + i), abort.signal, (attempt) => void attempts.push(attempt))
  )
  return {
    service,
    attempts,
    charged: () => attempts.filter(({ charged, status }) => status === 200 && charged > 0).length,
    calm: async () => {
      abort.abort()
      await Promise.all(running)
    }
  }
}

/** Waits until more answers have charged something. */
export const untilCharged = ({ charged }: DataScene, more: number): Promise<void> => {
  const enough = charged() + more
  return until(`${more} more charges`, () => charged() >= enough)
}

/** Waits until a request that was sent after a moment has charged something. */
export const untilChargedSince = ({ attempts }: DataScene, moment_ms: number): Promise<void> => {
  const isCharged = ({ charged, sent_ms, status }: Attempt) => status === 200 && charged > 0 && sent_ms > moment_ms
  return until("a charge", () => attempts.some(isCharged), 20)
}

/** Compares all answers with the ledger of the folder, whose server runs. */
export const judgeFolder = async (data: string, attempts: ReadonlyArray<Attempt>): Promise<Wrong> => {
  const client = await connectToFolder(data)
  const { wrong } = await judge(client, attempts, [])
  const unequal = await unequalBalances(client)
  await client.end()
  return { ...wrong, "a balance that differs from the sum of its rows": unequal }
}
