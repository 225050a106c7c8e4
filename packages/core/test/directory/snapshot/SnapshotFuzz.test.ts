import { cases } from "../../../../../test/Cases.ts"
import { alteredSnapshots } from "./AlteredSnapshots.ts"
import { grownSnapshots } from "./GrownSnapshots.ts"

alteredSnapshots(cases(5_000))
grownSnapshots(cases(16))
