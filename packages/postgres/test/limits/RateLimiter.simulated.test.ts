import { simulatedLimits } from "./SimulatedLimits.ts"

simulatedLimits({ runs: 10, random: { limits: [3, 25], duration_ms: 200_000 }, steady: { limits: [10] } })
