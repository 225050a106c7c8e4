/** The directory of the services under test: made once for all sites of a process, since nothing changes it. */
import { demoDirectory } from "@postcode/demo"

let made: ReturnType<typeof demoDirectory> | undefined

export const testDirectory = (): ReturnType<typeof demoDirectory> => {
  made ??= demoDirectory({ units: 20_000, addresses: true })
  return made
}
