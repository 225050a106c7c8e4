/** Says that something is on its way. */
export const Loading = () => (
  <p className="loading" role="status">
    <span className="spinner" />
    Loading …
  </p>
)
