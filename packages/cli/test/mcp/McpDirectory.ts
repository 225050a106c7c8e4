/** The directory of these tests: streets in Ikeja and Dala, and a retired unit with a successor. */

import { temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { readDirectory } from "@postcode/server/directory/DirectoryFiles"
import type { OpenedDirectory } from "@postcode/server/directory/openDirectory"
import { addressDirectory } from "../offline/AddressDirectory.ts"

const retired = '"16 Allen Avenue",residential,,,,'

/** Its files. */
export const mcpFiles = {
  ...addressDirectory,
  "units.csv": addressDirectory["units.csv"].replace(retired, `${retired}LA-12-A03-BG-08`)
}

export const openMcpDirectory = async (): Promise<OpenedDirectory> => {
  await using folder = await temporaryFolder()
  await writeFiles(folder.path, mcpFiles)
  const options = { quiet_ms: 60_000, keepsAttributes: true, addresses: true }
  return await readDirectory(folder.path, options, new AbortController().signal)
}
