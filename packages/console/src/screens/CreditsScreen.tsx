import { PageHeader } from "../kit/PageHeader.tsx"
import { BalanceSection } from "./credits/BalanceSection.tsx"
import { LedgerSection } from "./credits/LedgerSection.tsx"
import { PricesSection } from "./credits/PricesSection.tsx"

interface CreditsScreenProps {
  readonly params: { readonly organization: string }
}

/** What an organization has to spend, in both environments, and how it came to that. */
export const CreditsScreen = ({ params: { organization } }: CreditsScreenProps) => (
  <>
    <PageHeader
      title="Credits"
      lead="Credits are prepaid. Only answers that delivered something are charged, and test credits pay for tests alone."
    />
    <div class="grid">
      <BalanceSection organization={organization} environment="live" />
      <BalanceSection organization={organization} environment="test" />
    </div>
    <LedgerSection organization={organization} />
    <PricesSection />
  </>
)
