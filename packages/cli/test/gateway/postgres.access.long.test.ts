import { postgresGatewaySuite } from "./PostgresGateway.ts"

postgresGatewaySuite("access")
