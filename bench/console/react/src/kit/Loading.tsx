/** A loading indicator. */
export const Loading = () => (
  <p className="loading" role="status">
    <span className="spinner" />
    Loading …
  </p>
)
