/** Where the service on a data folder answers, for the commands that manage it. */
import { readFile, rename, rm, writeFile } from "node:fs/promises"

/** Written under another name first, so that no reader sees half of it. */
export const writeServiceFile = async (file: string, url: string): Promise<void> => {
  const unfinished = `${file}.unfinished-${process.pid}`
  await writeFile(unfinished, `${JSON.stringify({ url, process: process.pid })}\n`, { mode: 0o600 })
  await rename(unfinished, file)
}

/** A service that was killed leaves the file behind. */
export const removeServiceFile = (file: string): Promise<void> => rm(file, { force: true }).catch(() => {})

/** The address of the service; undefined if none runs, as far as its file says. */
export const readServiceFile = async (file: string): Promise<string | undefined> => {
  try {
    const { url } = JSON.parse(await readFile(file, "utf8"))
    return typeof url === "string" ? url : undefined
  } catch {
    return undefined
  }
}
