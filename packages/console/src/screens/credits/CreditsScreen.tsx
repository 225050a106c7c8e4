import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { query } from "../../router/address.ts"
import type { OrganizationParams } from "../../router/Screen.ts"
import { BalanceSection } from "./BalanceSection.tsx"
import { LedgerSection } from "./LedgerSection.tsx"
import { PricesSection } from "./PricesSection.tsx"

/** Balances, prices and ledger of an organization. The ledger comes first if the address names one of its requests. */
export const CreditsScreen = ({ params: { organization } }: OrganizationParams) => (
  <>
    <PageHeader
      title="Credits"
      lead="Credits are prepaid. Only requests that return a result are charged. Test credits pay only for requests with test keys."
    />
    <div class="grid">
      <BalanceSection organization={organization} environment="live" />
      <BalanceSection organization={organization} environment="test" />
    </div>
    {!query.value.has("reference") && <PricesSection />}
    <LedgerSection organization={organization} />
    {query.value.has("reference") && <PricesSection />}
  </>
)
