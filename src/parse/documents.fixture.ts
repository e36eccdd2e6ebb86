import { crc32, deflateRawSync } from 'node:zlib'

/** A zip archive with these files. */
export function zipOf(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, content] of Object.entries(files)) {
    const raw = Buffer.from(content as string)
    const packed = deflateRawSync(raw)
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    shared.writeUInt16LE(8, 4)
    shared.writeUInt32LE(crc32(raw), 10)
    shared.writeUInt32LE(packed.length, 14)
    shared.writeUInt32LE(raw.length, 18)
    shared.writeUInt16LE(name.length, 22)
    const body = Buffer.concat([Buffer.from('PK\x03\x04'), shared, Buffer.from(name), packed])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0', 'latin1'), shared, place, Buffer.from(name)]))
    bodies.push(body)
    at += body.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(directory.length, 4)
  end.writeUInt16LE(directory.length, 6)
  end.writeUInt32LE(list.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...bodies, list, Buffer.from('PK\x05\x06'), end])
}

export function docx(text: string, title = ''): Buffer {
  return zipOf({
    '[Content_Types].xml': '<Types/>',
    'word/document.xml': `<w:document><w:body><w:p><w:pPr><w:pStyle w:val="x"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p><w:p><w:r><w:t>Second</w:t></w:r><w:r><w:t> line</w:t></w:r></w:p></w:body></w:document>`,
    'docProps/core.xml': `<cp:coreProperties><dc:title>${title}</dc:title></cp:coreProperties>`,
  })
}

/** Pages of one line each. */
export function pdf(lines: readonly string[], title = ''): Buffer {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    `<</Title(${title})>>`,
  ]
  const pages = lines.map((line) => {
    const stream = `BT /F1 12 Tf 50 700 Td (${line}) Tj ET`
    objects.push(`<</Length ${stream.length}>>stream\n${stream}\nendstream`)
    const content = objects.length
    objects.push(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents ${content} 0 R/Resources<</Font<</F1 3 0 R>>>>>>`,
    )
    return `${objects.length} 0 R`
  })
  objects[1] = `<</Type/Pages/Count ${pages.length}/Kids[${pages.join(' ')}]>>`
  let file = '%PDF-1.4\n'
  const places = objects.map((object, index) => {
    const place = file.length
    file += `${index + 1} 0 obj${object}endobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const table = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`
  return Buffer.from(`${file}trailer<</Size ${objects.length + 1}/Root 1 0 R/Info 4 0 R>>\nstartxref\n${table}\n%%EOF`)
}
