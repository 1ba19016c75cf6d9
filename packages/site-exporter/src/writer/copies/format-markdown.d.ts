import type { Nodes } from 'hast'

export declare const formatMarkdown: (nodes: readonly Nodes[], toHref: (href: string) => string) => string
