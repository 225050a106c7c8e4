import { postgresGatewaySuite } from "./PostgresGateway.ts"

postgresGatewaySuite("server", "search")
