import { postgresGatewaySuite } from "./PostgresGateway.ts"

postgresGatewaySuite("management")
