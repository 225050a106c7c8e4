import { alteredSnapshots } from "./AlteredSnapshots.ts"
import { grownSnapshots } from "./GrownSnapshots.ts"

alteredSnapshots(50_000)
// Each is searched 17 times, with up to 20 times the usual work: 0.25 s of processor time.
grownSnapshots(1_000)
