"use strict";
// Charts as SVG: points, lines, bars, pictures and bands; a legend, what one points at, a closer look, and files of them.
const Charts = (() => {
  const REACH = 14, RADIUS = 4.5, DRAGGED = 8; // pixels: how near one must point, of a point, and of a drag that means something
  const FEWEST = 8; // bars for which there is room
  const polygon = (corners) => (r) => "M" + corners.map(([x, y]) => `${(x * r).toFixed(1)} ${(y * r).toFixed(1)}`).join("L") + "Z";
  const turned = (corners, angle) => corners.map(([x, y]) => [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)]);
  const PLUS = [[-.4, -1.2], [.4, -1.2], [.4, -.4], [1.2, -.4], [1.2, .4], [.4, .4], [.4, 1.2], [-.4, 1.2], [-.4, .4], [-1.2, .4], [-1.2, -.4], [-.4, -.4]];
  const STAR = [...Array(10).keys()].map((i) => [(i % 2 ? .6 : 1.4) * Math.sin(i * Math.PI / 5), -(i % 2 ? .6 : 1.4) * Math.cos(i * Math.PI / 5)]);
  const SYMBOLS = {
    circle: (r) => `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`,
    square: polygon([[-.9, -.9], [.9, -.9], [.9, .9], [-.9, .9]]),
    "triangle-up": polygon([[0, -1.2], [1.15, .8], [-1.15, .8]]),
    "triangle-down": polygon([[0, 1.2], [1.15, -.8], [-1.15, -.8]]),
    diamond: polygon([[0, -1.3], [1.3, 0], [0, 1.3], [-1.3, 0]]),
    cross: polygon(PLUS), x: polygon(turned(PLUS, Math.PI / 4)), star: polygon(STAR),
  };

  const svg = (tag, attributes = {}, ...children) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };
  const html = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };
  const each = (value, i) => (Array.isArray(value) ? value[i] : value);

  // Numbers on an axis: steps of 1, 2 or 5 times a power of ten, whole ones where only those mean something.
  const ticks = ([low, high], count, whole) => {
    const rough = (high - low) / Math.max(1, count), power = 10 ** Math.floor(Math.log10(rough));
    let step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough * .999);
    if (whole) step = Math.max(1, Math.round(step));
    const first = Math.ceil(low / step - 1e-9), last = Math.floor(high / step + 1e-9);
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => (first + i) * step);
  };
  const number = (value) => value.toLocaleString("en", { maximumSignificantDigits: 6, useGrouping: false }).replace("-", "\u2212");

  const extent = (traces, side) => {
    let low = Infinity, high = -Infinity;
    for (const trace of traces) {
      const room = trace.type === "bar" && side === "x" ? .6 : 0, from = trace.type === "bar" && side === "y" ? [0] : [];
      for (const value of [...from, ...trace[side], ...(side === "y" && trace.low ? trace.low : [])]) {
        if (value === null) continue;
        low = Math.min(low, value - room);
        high = Math.max(high, value + room);
      }
    }
    if (!(low <= high)) return [0, 1];
    const bars = traces.some((trace) => trace.type === "bar"), space = low === high ? .5 : (high - low) * .04;
    if (bars && side === "x" && high - low < FEWEST) return [(low + high - FEWEST) / 2, (low + high + FEWEST) / 2]; // one bar is no wall
    return [bars && (side === "x" || low === 0) ? low : low - space, bars && side === "x" ? high : high + space];
  };

  const draw = (holder, chart) => {
    const { layout } = chart, hidden = new Set(), clip = "clip-" + holder.id;
    const legend = html("div", { class: "legend" }), plot = html("div", { class: holder.className, role: "img", "aria-label": holder.getAttribute("aria-label") });
    const tip = html("div", { class: "tip", hidden: "" }), tools = html("div", { class: "tools" });
    let closer = null, targets = [];
    holder.removeAttribute("role");
    holder.removeAttribute("aria-label");
    holder.className = "figure";
    holder.append(legend, plot, tools, tip);

    const visible = () => chart.data.filter((_, i) => !hidden.has(i));
    const say = (text, x, y) => {
      const [first, ...rest] = text.split("\n");
      tip.replaceChildren(html("b", {}, first), ...rest.flatMap((line) => [html("br"), line]));
      tip.hidden = false;
      const room = holder.clientWidth - tip.offsetWidth - 4;
      tip.style.left = Math.max(4, Math.min(x + 12, room)) + "px";
      tip.style.top = Math.max(0, y + plot.offsetTop - tip.offsetHeight - 10) + "px";
    };
    const pointed = (element, text) => {
      element.addEventListener("pointermove", (event) => {
        const area = plot.getBoundingClientRect();
        say(text, event.clientX - area.left, event.clientY - area.top);
        event.stopPropagation();
      });
      return element;
    };

    const marks = {
      image: (trace, x, y) => [svg("image", {
        href: trace.href, x: x(trace.x[0]), y: y(trace.y[1]), width: x(trace.x[1]) - x(trace.x[0]), height: y(trace.y[0]) - y(trace.y[1]),
        preserveAspectRatio: "none", style: "image-rendering: pixelated",
      })],
      bar: (trace, x, y) => trace.x.map((at, i) => pointed(svg("rect", {
        class: "bar-mark", x: x(at - .4), width: x(at + .4) - x(at - .4), y: y(trace.y[i]), height: y(0) - y(trace.y[i]), fill: each(trace.color, i),
      }), trace.text[i])),
      lines: (trace, x, y) => {
        const path = trace.x.map((at, i) => (trace.y[i] === null ? "" : `${x(at).toFixed(1)} ${y(trace.y[i]).toFixed(1)}`)).filter(Boolean);
        if (trace.text) trace.x.forEach((at, i) => targets.push({ x: x(at), y: y(trace.y[i]), text: trace.text[i] }));
        return [svg("path", { class: "line-mark", d: "M" + path.join("L"), fill: "none", stroke: trace.color, "stroke-width": trace.width ?? 1.2, "stroke-dasharray": trace.dash ?? "none" })];
      },
      band: (trace, x, y) => {
        const edge = (side) => trace.x.map((at, i) => `${x(at).toFixed(1)} ${y(side[i]).toFixed(1)}`);
        return [svg("path", { class: "band-mark", d: "M" + [...edge(trace.low), ...edge(trace.y).reverse()].join("L") + "Z", fill: trace.color, opacity: trace.opacity ?? .25 })];
      },
      points: (trace, x, y) => trace.x.map((at, i) => {
        const [left, top] = [x(at), y(trace.y[i])];
        targets.push({ x: left, y: top, text: trace.text[i] });
        return svg("path", {
          class: "point", d: SYMBOLS[each(trace.symbol, i)](RADIUS), transform: `translate(${left.toFixed(1)} ${top.toFixed(1)})`, fill: each(trace.color, i),
          opacity: each(trace.opacity ?? 1, i), stroke: each(trace.ring ?? false, i) ? "var(--ink)" : "none", "stroke-width": 2,
        });
      }),
    };

    // Axes, and what lies between them.
    const plane = (width, height) => {
      const { xaxis, yaxis } = layout, shown = visible();
      const [xs, ys] = closer ?? [extent(shown, "x"), extent(shown, "y")];
      const rows = yaxis.ticks ? ticks(ys, height / 60, yaxis.whole) : [];
      const widest = Math.max(0, ...rows.map((value) => number(value).length));
      const left = (yaxis.label ? 26 : 8) + 7.5 * widest, bottom = height - (xaxis.label ? 44 : 12), top = 8, right = width - 14;
      const columns = xaxis.ticks ? ticks(xs, (right - left) / 70, xaxis.whole) : [];
      const x = (value) => left + (value - xs[0]) / (xs[1] - xs[0]) * (right - left), y = (value) => bottom - (value - ys[0]) / (ys[1] - ys[0]) * (bottom - top);
      const text = (words, attributes) => svg("text", { fill: "var(--ink)", "font-size": 12.5, ...attributes }, words);
      const grid = [
        ...columns.map((value) => svg("g", { class: "xtick" }, svg("path", { d: `M${x(value)} ${top}V${bottom}`, stroke: "var(--line)" }), text(number(value), { x: x(value), y: bottom + 17, "text-anchor": "middle" }))),
        ...rows.map((value) => svg("g", { class: "ytick" }, svg("path", { d: `M${left} ${y(value)}H${right}`, stroke: "var(--line)" }), text(number(value), { x: left - 6, y: y(value) + 4, "text-anchor": "end" }))),
        text(xaxis.label, { x: (left + right) / 2, y: height - 6, "text-anchor": "middle" }),
        text(yaxis.label, { transform: `translate(13 ${(top + bottom) / 2}) rotate(-90)`, "text-anchor": "middle" }),
      ];
      const inside = svg("clipPath", { id: clip }, svg("rect", { x: left, y: top, width: right - left, height: bottom - top }));
      const body = svg("g", { class: "marks", "clip-path": `url(#${clip})` }, ...shown.flatMap((trace) => marks[trace.type](trace, x, y)));
      const back = (px, py) => [xs[0] + (px - left) / (right - left) * (xs[1] - xs[0]), ys[0] + (bottom - py) / (bottom - top) * (ys[1] - ys[0])];
      return { parts: [svg("defs", {}, inside), ...grid, body], back };
    };

    // Clusterings side by side, and bands as wide as the items they carry are many.
    const flow = (width, height) => {
      const { columns, nodes, bands } = chart.data[0], most = Math.max(...nodes.map((node) => node.low + node.size));
      const left = 34, right = width - 34, bottom = height - 26, thick = 14, step = (right - left) / (columns.length - 1);
      const x = (column) => left + column * step, y = (share) => bottom - share / most * (bottom - 8);
      const ribbon = ({ column, from, to, size }) => {
        const [a, b, middle] = [x(column) + thick / 2, x(column + 1) - thick / 2, x(column) + step / 2];
        return `M${a} ${y(from)}C${middle} ${y(from)} ${middle} ${y(to)} ${b} ${y(to)}V${y(to + size)}C${middle} ${y(to + size)} ${middle} ${y(from + size)} ${a} ${y(from + size)}Z`;
      };
      const label = (words, attributes) => svg("text", { fill: "var(--ink)", "font-size": 12.5, "text-anchor": "middle", ...attributes }, words);
      return { parts: [
        ...bands.map((band) => pointed(svg("path", { class: "band-mark", d: ribbon(band), fill: band.color, opacity: .35 }), band.text)),
        ...nodes.map((node) => pointed(svg("rect", { class: "bar-mark", x: x(node.column) - thick / 2, width: thick, y: y(node.low + node.size), height: y(node.low) - y(node.low + node.size), fill: node.color }), node.text)),
        ...columns.map((name, column) => label(name, { x: x(column), y: height - 6 })),
      ] };
    };

    let picture = null, current = null;
    const render = () => {
      const width = plot.clientWidth, height = plot.clientHeight;
      if (!width) return;
      targets = [];
      current = (chart.data[0]?.type === "flow" ? flow : plane)(width, height);
      picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "font-family": "system-ui, sans-serif", "aria-hidden": "true" }, ...current.parts);
      plot.replaceChildren(picture);
      reset.hidden = closer === null;
    };

    // What one points at, and a closer look at a rectangle that one drags.
    let start = null, frame = null;
    const at = (event) => { const area = plot.getBoundingClientRect(); return [event.clientX - area.left, event.clientY - area.top]; };
    plot.addEventListener("pointerdown", (event) => {
      if (event.pointerType !== "mouse" || event.button !== 0 || !targets.length) return;
      start = at(event);
      frame = svg("rect", { fill: "var(--accent)", opacity: .2 });
      picture.append(frame);
      event.preventDefault();
    });
    plot.addEventListener("pointermove", (event) => {
      const [x, y] = at(event);
      if (start) {
        const box = { x: Math.min(x, start[0]), y: Math.min(y, start[1]), width: Math.abs(x - start[0]), height: Math.abs(y - start[1]) };
        for (const [name, value] of Object.entries(box)) frame.setAttribute(name, value);
        tip.hidden = true;
        return;
      }
      let best = REACH ** 2, nearest = null;
      for (const target of targets) {
        const away = (target.x - x) ** 2 + (target.y - y) ** 2;
        if (away < best) [best, nearest] = [away, target];
      }
      if (nearest) say(nearest.text, nearest.x, nearest.y); else tip.hidden = true;
    });
    plot.addEventListener("pointerleave", () => { tip.hidden = true; });
    addEventListener("pointerup", (event) => {
      if (!start) return;
      const [one, other] = [start, at(event)];
      start = null;
      frame.remove();
      if (Math.min(Math.abs(one[0] - other[0]), Math.abs(one[1] - other[1])) < DRAGGED) return;
      const [[x0, y0], [x1, y1]] = [current.back(...one), current.back(...other)];
      closer = [[Math.min(x0, x1), Math.max(x0, x1)], [Math.min(y0, y1), Math.max(y0, y1)]];
      render();
    });
    const button = (label, name, action) => {
      const made = html("button", { type: "button", ...(name ? { "aria-label": name } : {}) }, label);
      made.addEventListener("click", action);
      return made;
    };
    const reset = button("Show all", "", () => { closer = null; render(); });
    plot.addEventListener("dblclick", () => reset.click());
    const title = holder.dataset.title ?? "chart";
    tools.append(reset, button("SVG", `Download as SVG: ${title}`, () => save(picture, title, "svg")), button("PNG", `Download as PNG: ${title}`, () => save(picture, title, "png")));

    if (layout.legend) chart.data.forEach((trace, i) => {
      if (!trace.name) return;
      const look = trace.symbol ? { d: SYMBOLS[each(trace.symbol, 0)](RADIUS), fill: each(trace.color, 0) } : { d: "M-6 0H6", stroke: each(trace.color, 0), "stroke-width": 3, "stroke-dasharray": trace.dash ?? "none" };
      const key = button("", "", () => {
        if (hidden.has(i)) hidden.delete(i); else hidden.add(i);
        key.setAttribute("aria-pressed", String(!hidden.has(i)));
        render();
      });
      key.setAttribute("aria-pressed", "true");
      key.append(svg("svg", { width: 14, height: 14, viewBox: "-7 -7 14 14", "aria-hidden": "true" }, svg("path", look)), trace.name);
      legend.append(key);
    });
    new ResizeObserver(render).observe(plot);
    render();
    return { update: (data) => { chart.data = data; render(); } };
  };

  // Files: a chart as it is seen, on paper of the page's color; a table as csv.
  const offer = (blob, name) => {
    const link = html("a", { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };
  const save = (picture, title, kind) => {
    const style = getComputedStyle(document.documentElement), copy = picture.cloneNode(true), { width, height } = picture.viewBox.baseVal;
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.prepend(svg("rect", { width, height, fill: "var(--paper)" }));
    const text = new XMLSerializer().serializeToString(copy).replace(/var\((--\w+)\)/g, (_, name) => style.getPropertyValue(name).trim());
    const name = title.toLowerCase().replace(/[^a-z0-9]+/g, "-") + "." + kind, file = new Blob([text], { type: "image/svg+xml" });
    if (kind === "svg") return offer(file, name);
    const image = new Image();
    image.addEventListener("load", () => {
      const canvas = html("canvas", { width: 2 * width, height: 2 * height });
      canvas.getContext("2d").drawImage(image, 0, 0, 2 * width, 2 * height);
      canvas.toBlob((made) => offer(made, name), "image/png");
      URL.revokeObjectURL(image.src);
    });
    image.src = URL.createObjectURL(file);
  };
  const saveTable = (rows, name) => {
    const cell = (value) => (/[",\n\r]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : String(value ?? ""));
    offer(new Blob([rows.map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n"], { type: "text/csv" }), name);
  };
  return { draw, saveTable };
})();
