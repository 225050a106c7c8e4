import { cases } from "../../../../../test/Cases.ts"
import { alteredSnapshots } from "./AlteredSnapshots.ts"

alteredSnapshots(cases(5_000))
