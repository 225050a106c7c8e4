/** Says that something is on its way; shown late, so that what is quick does not flicker. */
export const Loading = ({ children = "Loading" }: { readonly children?: string }) => (
  <p class="loading" role="status">
    <span class="spinner" />
    {children} …
  </p>
)
