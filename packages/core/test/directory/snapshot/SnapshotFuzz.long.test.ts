import { alteredSnapshots } from "./AlteredSnapshots.ts"

alteredSnapshots(50_000)
