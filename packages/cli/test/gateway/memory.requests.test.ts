import { memoryGatewaySuite } from "./MemoryGateway.ts"

memoryGatewaySuite("requests")
