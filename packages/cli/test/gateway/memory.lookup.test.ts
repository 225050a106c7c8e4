import { memoryGatewaySuite } from "./MemoryGateway.ts"

memoryGatewaySuite("server", "lookup")
