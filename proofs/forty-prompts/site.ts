/** Documentation that the prompts are about. */
export const site: Readonly<Record<string, string>> = {
  'docs.json': `${JSON.stringify({ name: 'Handbook', navigation: { pages: ['index', 'guide/install', 'guide/keys'] } }, null, 2)}\n`,
  'index.mdx':
    '# Handbook\n\nThis is teh handbook that you read when you need it. See [install](guide/Install.mdx), [keys](guide/keys.mdx#rotate-a-kee) and [gone](gone.mdx).\n',
  'guide/install.mdx':
    '# Install\n\nYou can seperate the steps. Use version 1.2 of Acme Cloud.\n\n```sh\nnpm install acme@1.2\n```\n',
  'guide/keys.mdx':
    '# Keys\n\n## Rotate a key\n\nAcme Cloud keeps the old key for a day.\n\nDeprecated: ask support.\n',
}
