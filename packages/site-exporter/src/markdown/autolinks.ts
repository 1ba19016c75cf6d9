import type { Nodes, Parents } from 'mdast'
import type { Processor } from 'unified'

type Transform = (tree: Nodes) => unknown
type Extension = { transforms?: Transform[] }

/** Every literal address has one of them. */
const candidate = /:\/\/|www\.|@/i

/** Parents of text that may have a literal address outside links, without those inside another. */
const listCandidates = (node: Nodes, found: Parents[] = []): Parents[] => {
  if (!('children' in node) || node.type === 'link' || node.type === 'linkReference') return found
  if (node.children.some((child) => child.type === 'text' && candidate.test(child.value))) found.push(node)
  else for (const child of node.children) listCandidates(child, found)
  return found
}

/**
 * Runs the transforms of `remark-gfm`, which link addresses that its parser could not see, only where an address may be. They walk a
 * tree four times: a tenth of the CPU time of an export.
 */
export function sparingAutolinks(this: Processor): void {
  const data = this.data() as { fromMarkdownExtensions?: (Extension | Extension[])[] }
  const sparing =
    (transform: Transform): Transform =>
    (tree) => {
      for (const parent of listCandidates(tree)) transform(parent)
    }
  data.fromMarkdownExtensions = (data.fromMarkdownExtensions ?? [])
    .flat()
    .map((extension) =>
      extension.transforms ? { ...extension, transforms: extension.transforms.map(sparing) } : extension,
    )
}
