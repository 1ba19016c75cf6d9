import type { Zone } from './dns.ts'

/**
 * A link that a hostile service hands out, and what is configured. Nothing may be connected to but what `mayReach`
 * lists.
 */
export type Way = {
  title: string
  link: string
  hosts?: readonly string[]
  /** Default: a real service over https. */
  adminOrigin?: string
  mayReach?: readonly string[]
  /** Number of requests for it. */
  times?: number
}

/** An address that is nobody's inner one. Never really connected to. */
const outside = '93.184.216.34'

/** Addresses of the names that the ways use. */
export const zone: Zone = {
  localhost: [['127.0.0.1', '::1']],
  'docs.localhost': [['127.0.0.1']],
  'loopback.test': [['127.0.0.1']],
  'loopback6.test': [['::1']],
  'private.test': [['10.1.2.3']],
  'mapped.test': [['::ffff:a00:1']],
  'nat64.test': [['64:ff9b::a9fe:a9fe']],
  'metadata.test': [['169.254.169.254']],
  'all-zero.test': [['0.0.0.0', '::']],
  'many.test': [['127.0.0.1', '10.0.0.1', outside, 'fd00::1', 'fe80::1']],
  'flip.test': [[outside], ['169.254.169.254']],
  'flop.test': [['127.0.0.1'], [outside]],
  'flicker.test': [[outside], ['10.0.0.1'], [outside], ['127.0.0.1']],
  'cdn.storage.test': [['169.254.169.254']],
  'a.storage.test': [['fd00:ec2::254']],
}

const literal = [
  '127.0.0.1',
  '127.255.255.254',
  '127.1',
  '127.0.0.1.',
  '0',
  '0.0.0.0',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '017700000001',
  '０x７f.1',
  '10.0.0.1',
  '012.0.0.1',
  '167772161',
  '172.16.0.1',
  '172.31.255.254',
  '192.168.1.1',
  '0xc0a80101',
  '169.254.169.254',
  '169.254.1.1',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '100.64.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '198.18.0.1',
  '192.0.2.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[::127.0.0.1]',
  '[::7f00:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:a9fe:a9fe]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::a00:1]',
  '[2002:7f00:1::]',
  '[2002:a9fe:a9fe::1]',
  '[2001:0:7f00:1::]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[2001:db8::1]',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'docs.localhost',
  '①②⑦.0.0.1',
  '127。0。0。1',
]

const sidecar = 'http://127.0.0.1:8080'

/** Ways to make Docket reach what it must not through a bundle link. `storagePort` is that of a listed storage. */
export const waysInside: readonly Way[] = [
  ...literal.map((host): Way => ({ title: `address ${host}`, link: `https://${host}/x` })),
  ...['loopback', 'loopback6', 'private', 'mapped', 'nat64', 'metadata', 'all-zero'].map((name): Way => ({
    title: `name of ${name}`,
    link: `https://${name}.test/x`,
  })),
  { title: 'a name of several addresses', link: 'https://many.test/x', mayReach: [outside] },
  { title: 'a name that flips to metadata', link: 'https://flip.test/x', mayReach: [outside], times: 3 },
  { title: 'a name that flips from loopback', link: 'https://flop.test/x', mayReach: [outside], times: 2 },
  { title: 'a name that flickers', link: 'https://flicker.test/x', mayReach: [outside], times: 6 },
  { title: 'a name with the dot of the root', link: 'https://private.test./x' },
  ...[
    'http://storage.test/x',
    'http://93.184.216.34/x',
    'ftp://storage.test/x',
    'file:///etc/passwd',
    'gopher://127.0.0.1:6379/_x',
    'ws://127.0.0.1/x',
    'data:text/plain,x',
    'unix:/var/run/docker.sock',
    '//127.0.0.1/x',
    'https:127.0.0.1/x',
    'https:\\\\127.0.0.1\\x',
    '',
  ].map((link): Way => ({ title: `link ${link}`, link })),
  ...[
    'https://user@127.0.0.1/x',
    'https://storage.test@127.0.0.1/x',
    'https://a:b@many.test/x',
    'https://storage.test%40127.0.0.1/x',
    'https://storage.test#@127.0.0.1/x',
    'https://127.0.0.1\t/x',
    'https://127.0.0.1%00.storage.test/x',
  ].map((link): Way => ({ title: `userinfo ${link}`, link })),
  ...[22, 25, 445, 2375, 3306, 5432, 6379, 6443, 10250, 11211, 27017].map((port): Way => ({
    title: `port ${port} of a listed host`,
    link: `https://private.test:${port}/x`,
    hosts: ['private.test'],
  })),
  { title: 'metadata under a listed wildcard', link: 'https://cdn.storage.test/x', hosts: ['*.storage.test'] },
  { title: 'metadata over IPv6 under a listed wildcard', link: 'https://a.storage.test/x', hosts: ['*.storage.test'] },
  { title: 'metadata listed by mistake', link: 'https://169.254.169.254/x', hosts: ['169.254.169.254'] },
  ...[
    'https://storage.test/x',
    'https://evilstorage.test/x',
    'https://a.storage.test.private.test/x',
    'https://private.test/x',
    'https://a.stоrage.test/x',
    'https://a.xn--strage-tqf.test/x',
    'https://private.test\\.storage.test/x',
    'https://private.test/.storage.test',
    'https://private.test?.storage.test',
    'https://private.test#.storage.test',
    'https://private.test%2f.storage.test/x',
    'https://a..storage.test./x',
  ].map((link): Way => ({ title: `beside a wildcard ${link}`, link, hosts: ['*.storage.test'] })),
  ...[
    'http://127.0.0.1:9464/metrics',
    'http://localhost:6379/x',
    'https://127.0.0.1:5432/x',
    'http://docs.localhost:3000/api/status',
    'http://10.0.0.1:8080/x',
    'http://private.test:8080/x',
    'http://loopback.test:8080/x',
    'http://127.0.0.1.private.test:8080/x',
  ].map((link): Way => ({ title: `with an Admin API on this machine ${link}`, link, adminOrigin: sidecar })),
]
