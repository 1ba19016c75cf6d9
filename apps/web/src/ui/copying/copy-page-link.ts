import { toast, toastFailure } from '#ui/messages/toast.ts'

/** Copies the address of a page of Docket; `href` begins with `/`. Leaves out which connection the reader's own lists show. */
export const copyPageLink = async (href: string): Promise<void> => {
  try {
    const address = new URL(href, location.origin)
    address.searchParams.delete('connection')
    await navigator.clipboard.writeText(address.href)
    toast('Page link copied.', { tone: 'done' })
  } catch (error) {
    toastFailure('Could not copy the link.')(error)
  }
}
