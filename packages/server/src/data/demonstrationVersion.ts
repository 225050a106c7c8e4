/** The demonstration that a first start imports: its units are invented. */
import { defaultSeed, defaultUnits } from "@postcode/demo"

export const demonstrationVersion = `demo-${defaultUnits}-${defaultSeed}`

/** Whether an edition is the demonstration, as it was imported. */
export const isDemonstration = ({
  changes,
  version
}: {
  readonly changes: number
  readonly version: string
}): boolean => version === demonstrationVersion && changes === 0
