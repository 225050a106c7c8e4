import { memoryGatewaySuite } from "./MemoryGateway.ts"

memoryGatewaySuite("management")
