import { memoryGatewaySuite } from "./MemoryGateway.ts"

memoryGatewaySuite("search", "access")
