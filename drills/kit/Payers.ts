/** What clients that pay need: postcodes that cost something, and accounts with credits. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { Payer } from "./Clients.ts"
import { makeCustomer } from "./Installation.ts"
import { runProcess } from "./StartCommand.ts"

/** Some hundred postcodes of a demonstration directory, of units of which everything is known: each has the full price. */
export const importForClients = async (
  path: string,
  env: Readonly<Record<string, string>>
): Promise<ReadonlyArray<string>> => {
  for (const args of [
    ["demo", path, "--units", "2000", "--seed", "1"],
    ["import", path]
  ]) {
    const { code, stderr } = await runProcess(args, { env })
    if (code !== 0) throw new Error(`postcode ${args[0]} ended with ${code}: ${stderr}`)
  }
  const rows = (await readFile(join(path, "units.csv"), "utf8")).split("\n")
  // The last column, the successor, is empty where a unit is active.
  const postcodes = rows
    .filter((row) => row.includes(",active,") && !row.includes(",,"))
    .slice(0, 500)
    .map((row) => row.slice(0, row.indexOf(",")))
  if (postcodes.length === 0) throw new Error("the demonstration has no unit of which everything is known")
  return postcodes
}

/** An account that everybody draws on, some that few do, one whose key has a daily limit, and one that runs dry. */
export const makePayers = async (port: number): Promise<ReadonlyArray<Payer>> => {
  const payer = async (name: string, amount: number, told: object = {}): Promise<Payer> => {
    const { id, secret } = await makeCustomer({ url: `http://127.0.0.1:${port}` }, amount, { name, ...told })
    return { account: `${id} live`, secret }
  }
  const limited = await payer("limited", 1_000_000_000, { daily_credit_limit: 100 })
  const quiet: Array<Payer> = []
  for (let i = 0; i < 10; i++) quiet.push(await payer(`quiet ${i}`, 1_000_000_000))
  // Eight of twenty questions are the first one's, and ten go to as many accounts, which share transactions.
  return [...Array(8).fill(await payer("hot", 1_000_000_000)), ...quiet, limited, await payer("dry", 400)]
}
