import { Section } from "../../kit/layout/Section.tsx"
import { Table } from "../../kit/tables/Table.tsx"

/** The prices, as in the documentation. */
export const PricesSection = () => (
  <Section
    title="What things cost"
    lead="Whoever runs this service may have set other prices. What an answer to a secret key cost is in its header X-Credits-Charged."
  >
    <Table
      caption="Prices"
      rows={prices}
      keyOf={({ what }) => what}
      empty={null}
      columns={[
        { head: "What", cell: ({ what }) => what },
        { head: "Holds", cell: ({ holds }) => holds },
        { head: "Credits", cell: ({ credits }) => credits, isNumber: true }
      ]}
    />
    <p class="muted">
      A lookup costs the price of the highest level of which its answer shows something; what is not known costs
      nothing. A batch costs the sum of its units, each counted once. Other searches, places nearby, checking and
      assembling postcodes, the lists of codes, and everything that is refused or not found cost nothing.
    </p>
  </Section>
)

const prices = [
  { what: "Lookup, level 1", holds: "whether the postcode exists", credits: 0 },
  { what: "Lookup, level 2", holds: "the address", credits: 1 },
  { what: "Lookup, level 3", holds: "what the building is used for as well", credits: 2 },
  { what: "Lookup, level 4", holds: "more about the building as well", credits: 3 },
  { what: "Lookup, level 5", holds: "the point on the map as well; granted on review", credits: 3 },
  { what: "Widget session", holds: "a person’s bookmarks on a page of yours, and 60 address searches", credits: 1 },
  { what: "Address search", holds: "a postcode, or a part of it finer than an LGA", credits: 1 }
]
