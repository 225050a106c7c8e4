import { simulatedLimits } from "./SimulatedLimits.ts"

simulatedLimits({ runs: 100, random: { limits: [1, 3, 25, 600], duration_ms: 400_000 }, steady: { limits: [10, 600] } })
