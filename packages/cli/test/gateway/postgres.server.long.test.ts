import { postgresGatewaySuite } from "./PostgresGateway.ts"

postgresGatewaySuite("server", "lookup")
