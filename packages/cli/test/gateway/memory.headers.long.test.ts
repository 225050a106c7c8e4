import { memoryGatewaySuite } from "./MemoryGateway.ts"

memoryGatewaySuite("headers")
