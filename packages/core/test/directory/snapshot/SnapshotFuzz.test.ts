import { alteredSnapshots } from "./AlteredSnapshots.ts"

alteredSnapshots(5_000)
