/** Imports of a small directory through the management API. */
import type { Operator } from "../../world/Operator.ts"
import type { Received } from "../Received.ts"
import { dataOf } from "../Received.ts"

/** The files of a directory. */
export interface ImportFiles {
  readonly places: string | Uint8Array
  readonly units: string | Uint8Array
}

/** Two files of one unit. */
export const smallFiles = {
  places: "code,name\nLA,Lagos\nLA-12,Ikeja\n",
  units: "postcode,lat,lon\nLA-12-A03-BG-07,6.6018,3.3515\n"
}

/** An import as the interface shows it, as far as tests look at it. */
export interface ShownImport {
  readonly id: string
  readonly phase: string
  readonly problem?: string
  readonly check?: Readonly<Record<string, unknown>>
  readonly imported?: Readonly<Record<string, unknown>>
  readonly places: { readonly received_bytes: number }
  readonly units: { readonly received_bytes: number }
}

export const importPath = "/v1/admin/directory/import"

/** The import that is open; null if there is none. */
export const currentImport = async (operator: Operator): Promise<ShownImport | null> =>
  dataOf<{ readonly import: ShownImport | null }>(await operator.call("GET", importPath)).import

/** Ends what another test has left, and waits until it is gone. */
export const clearImport = async (operator: Operator): Promise<void> => {
  for (;;) {
    const open = await currentImport(operator)
    if (open === null) return
    if (open.phase !== "checking" && open.phase !== "importing") {
      await operator.call("DELETE", `${importPath}/${open.id}`)
      continue
    }
    await operator.call("DELETE", `${importPath}/${open.id}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const bytesOf = (content: string | Uint8Array): Buffer => Buffer.from(content as Uint8Array)

/** The sizes of the files, to open an import with. */
export const chosen = ({ places, units }: ImportFiles) => ({
  places: { name: "places.csv", size_bytes: bytesOf(places).length },
  units: { name: "units.csv", size_bytes: bytesOf(units).length }
})

/** Opens an import. */
export const openImport = async (operator: Operator, files: ImportFiles): Promise<string> => {
  await clearImport(operator)
  return dataOf<ShownImport>(await operator.call("POST", importPath, chosen(files))).id
}

/** Sends a whole file in one part. */
export const sendFile = (
  operator: Operator,
  id: string,
  file: "places" | "units",
  content: string | Uint8Array
): Promise<Received> =>
  operator.call("POST", `${importPath}/${id}/parts`, {
    file,
    offset: 0,
    pieces: [bytesOf(content).toString("base64")]
  })

/** Opens an import, and sends both files. */
export const uploadImport = async (operator: Operator, files: ImportFiles = smallFiles): Promise<string> => {
  const id = await openImport(operator, files)
  for (const file of ["places", "units"] as const) await sendFile(operator, id, file, files[file])
  return id
}

/** Starts a run, and waits for its end. */
export const runImport = async (operator: Operator, id: string, task: object): Promise<ShownImport> => {
  dataOf(await operator.call("POST", `${importPath}/${id}/run`, task))
  for (;;) {
    const open = await currentImport(operator)
    if (open === null) throw new Error("the import is gone")
    if (open.phase !== "checking" && open.phase !== "importing") return open
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
