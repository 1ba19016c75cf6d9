/** Rewrites imports from aliases, such as `@site/docs/part.mdx`, to addresses from the root of the source. */
export const joinPageAliases = (body: string, aliases: ReadonlyMap<string, string>): string =>
  aliases.size === 0 || !/^import\s/m.test(body)
    ? body
    : body.replace(
        /^(import\s[^\n]{0,500}?from\s+["'])([^"'\n]{1,500})(["'])/gm,
        (whole, before: string, from: string, end: string) => {
          const alias = [...aliases].find(([prefix]) => from.startsWith(prefix))
          return alias ? `${before}/${alias[1]}${from.slice(alias[0].length)}${end}` : whole
        },
      )
