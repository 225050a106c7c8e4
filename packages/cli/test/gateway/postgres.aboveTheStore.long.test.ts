import { aboveTheStore } from "@postcode/http/testing"
import { postgresGatewaySuite } from "./PostgresGateway.ts"

postgresGatewaySuite(...aboveTheStore)
