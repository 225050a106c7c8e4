/** A loading indicator, delayed so that quick responses do not flicker. */
export const Loading = ({ children = "Loading" }: { readonly children?: string }) => (
  <p class="loading" role="status">
    <span class="spinner" />
    {children} …
  </p>
)
