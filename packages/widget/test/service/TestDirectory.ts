/** The directory of the services under test: made once for all sites of a process, since nothing changes it. */
import { demoDirectory } from "@postcode/demo"

/** Its size; the demonstration's streets of this size lead to its units. */
export const testSize = { units: 20_000 }

let made: ReturnType<typeof demoDirectory> | undefined

export const testDirectory = (): ReturnType<typeof demoDirectory> => {
  made ??= demoDirectory({ ...testSize, addresses: true })
  return made
}
