/** How long starts on a data folder take, from the process to the first answer. */

import { dataFolder } from "../kit/DataFolders.ts"
import { installCommand } from "../kit/InstalledCommand.ts"
import { startService } from "../kit/StartCommand.ts"

export interface StartsReport {
  /** With programs from npm, and the import of the demonstration. */
  readonly firstFromNpm_ms: number
  /** With the programs of the workspace, and the import of the demonstration. */
  readonly first_ms: number
  readonly second_ms: number
}

export const runStarts = async (): Promise<StartsReport> => {
  await using data = await dataFolder()
  const firstFromNpm_ms = await startInstalled()
  const starts_ms: Array<number> = []
  for (let i = 0; i < 2; i++) {
    const started_ms = performance.now()
    await using _ = await startService(["--data", data.path])
    starts_ms.push(performance.now() - started_ms)
  }
  const [first_ms = 0, second_ms = 0] = starts_ms
  return { firstFromNpm_ms, first_ms, second_ms }
}

/** The installed command has to fetch the programs. */
const startInstalled = async (): Promise<number> => {
  await using data = await dataFolder()
  await using command = await installCommand()
  const started_ms = performance.now()
  const child = command.start(["serve", "--port", "0", "--data", data.path])
  const ended = new Promise((resolve) => child.once("close", resolve))
  let stderr = ""
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text
      if (/^ready /m.test(stderr)) resolve()
    })
    void ended.then(() => reject(new Error(stderr)))
  })
  if (!stderr.startsWith("fetching PostgreSQL")) throw new Error(`the programs were not fetched:\n${stderr}`)
  const elapsed_ms = performance.now() - started_ms
  child.kill("SIGTERM")
  await ended
  return elapsed_ms
}
