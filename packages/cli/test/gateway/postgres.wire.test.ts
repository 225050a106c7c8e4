import { postgresGatewaySuite } from "./PostgresGateway.ts"

postgresGatewaySuite("wire")
