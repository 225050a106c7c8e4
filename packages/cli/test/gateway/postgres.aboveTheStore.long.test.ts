import { aboveTheStore } from "@postcode/conformance/wire"
import { postgresGatewaySuite } from "./PostgresGateway.ts"

postgresGatewaySuite(...aboveTheStore)
