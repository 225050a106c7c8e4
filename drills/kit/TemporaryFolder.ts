/** Folders and files of tests. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A folder of its own, gone once the test that asked for it is over. */
export const temporaryFolder = async (): Promise<AsyncDisposable & { readonly path: string }> => {
  const path = await mkdtemp(join(tmpdir(), "postcode-cli-"))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** Writes files into a folder, which is made if it is not there. */
export const writeFiles = async (path: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> => {
  await mkdir(path, { recursive: true })
  for (const [name, content] of Object.entries(files)) await writeFile(join(path, name), content)
}

/** The smallest directory there is: one unit in Ikeja. */
export const smallDirectory = {
  "places.csv": "code,name,zone\nLA,Lagos,South West\nLA-12,Ikeja,\n",
  "units.csv": [
    "postcode,lat,lon,status,locality_name,recent_address,building_use_status,building_type,building_owner,delivery_point",
    'LA-12-A03-BG-07,6.6,3.35,active,Alausa,"1 Bank Road, Alausa",residential,,,true\n'
  ].join("\n")
}
