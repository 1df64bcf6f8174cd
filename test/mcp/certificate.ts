import { generateKeyPairSync, sign } from 'node:crypto'

/** A certificate that a server on 127.0.0.1 shows and that stands for itself, and its key, as PEM. */
export function newCertificate(): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const year = (n: number) => der(0x17, Buffer.from(`${n}0101000000Z`))
  const nobody = der(0x30)
  // SubjectAltName, with an IP address.
  const names = der(0x30, oid('551d11'), der(0x04, der(0x30, der(0x87, Buffer.from([127, 0, 0, 1])))))
  const parts = [
    der(0xa0, integer(2)),
    integer(1),
    algorithm,
    nobody,
    der(0x30, year(20), year(49)),
    nobody,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, names)),
  ]
  const body = der(0x30, ...parts)
  const signature = der(0x03, Buffer.from([0]), sign(null, body, privateKey))
  const base64 = der(0x30, body, algorithm, signature).toString('base64')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** A value in DER, of less than 64 KiB. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}

const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const integer = (n: number) => der(0x02, Buffer.from([n]))
/** Ed25519. */
const algorithm = der(0x30, oid('2b6570'))
