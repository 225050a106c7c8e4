import { alteredSnapshots } from "./AlteredSnapshots.ts"
import { grownSnapshots } from "./GrownSnapshots.ts"

alteredSnapshots(50_000)
grownSnapshots(10_000)
