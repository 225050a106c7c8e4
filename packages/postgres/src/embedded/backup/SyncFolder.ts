import { open } from "node:fs/promises"

/** Makes the names in a folder durable. */
export const syncFolder = async (path: string): Promise<void> => {
  await using folder = await open(path, "r")
  await folder.sync()
}
