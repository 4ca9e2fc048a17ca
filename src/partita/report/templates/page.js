"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const read = (key) => { const e = byId("data-" + key); return e ? JSON.parse(e.textContent) : null; };
  for (const element of document.querySelectorAll("[data-chart]")) Charts.draw(element, read(element.dataset.chart));

  // The contents mark the section that is read, and keep it in sight where they scroll sideways.
  const contents = document.querySelector("nav"), links = new Map([...contents.children].map((link) => [link.hash.slice(1), link]));
  const watch = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      for (const link of links.values()) link.removeAttribute("aria-current");
      const link = links.get(target.id);
      link.setAttribute("aria-current", "location");
      contents.scrollLeft = link.offsetLeft - (contents.clientWidth - link.offsetWidth) / 2;
    }
  }, { rootMargin: "-20% 0px -79% 0px" });
  document.querySelectorAll("section").forEach((section) => watch.observe(section));

  // The table: text only ever becomes text.
  const make = (tag, text, className) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (className) element.className = className;
    return element;
  };
  const table = read("items");
  if (table) {
    const { columns, rows, colors } = table;
    const body = byId("table").tBodies[0], head = byId("table").tHead.rows[0];
    let sorted = -1, up = true, all = false;
    const cells = {
      text: (value) => make("td", value),
      cluster: (value) => {
        const cell = make("td");
        if (value >= 0) {
          const swatch = make("span", undefined, "swatch");
          swatch.style.background = colors[value];
          cell.append(swatch, String(value));
        } else cell.textContent = "–";
        return cell;
      },
      share: (value) => {
        const cell = make("td", value === null ? "–" : value.toFixed(2));
        const bar = make("span", undefined, "bar"), part = make("i");
        part.style.width = Math.round(100 * Math.min(1, Math.max(0, value))) + "%";
        bar.append(part);
        cell.append(bar);
        return cell;
      },
    };
    const matches = (row, words) => {
      const text = (row[0] + " cluster " + row[1]).toLowerCase();
      return words.length === 0 || text.includes(words);
    };
    const show = () => {
      const words = byId("search").value.trim().toLowerCase();
      const kept = rows.filter((row) => matches(row, words));
      if (sorted >= 0) {
        const order = (a, b) => columns[sorted].kind === "text" ? a.localeCompare(b, undefined, { numeric: true }) : a - b;
        kept.sort((a, b) => (up ? 1 : -1) * order(a[sorted], b[sorted]));
      }
      const shown = all ? kept : kept.slice(0, 100);
      body.replaceChildren(...shown.map((row) => {
        const line = make("tr");
        line.append(...row.map((value, i) => cells[columns[i].kind](value)));
        return line;
      }));
      byId("found").textContent = kept.length + " of " + rows.length + " items";
      byId("more").hidden = shown.length === kept.length;
      byId("more").textContent = "Show all " + kept.length;
    };
    columns.forEach((column, i) => {
      const cell = make("th"), button = make("button", column.label);
      cell.scope = "col";
      button.type = "button";
      button.addEventListener("click", () => {
        up = sorted === i ? !up : true;
        sorted = i;
        [...head.cells].forEach((other) => other.removeAttribute("aria-sort"));
        cell.setAttribute("aria-sort", up ? "ascending" : "descending");
        show();
      });
      cell.append(button);
      head.append(cell);
    });
    byId("search").addEventListener("input", show);
    byId("more").addEventListener("click", () => { all = true; show(); });
    byId("save").addEventListener("click", () => Charts.saveTable([columns.map((column) => column.label), ...rows], "items.csv"));
    show();
  }

  // Items on a chart in the clusters of one of several partitions, ringed where that is not their cluster in the first.
  const partitioned = (data, labels, first) => {
    const color = (k) => data.colors[k % data.colors.length];
    const symbol = (k) => data.symbols[Math.floor(k / data.colors.length) % data.symbols.length];
    return [{
      type: "points", x: data.x, y: data.y, text: data.names.map((name, i) => `${name}\ncluster ${labels[i]}`),
      color: labels.map(color), symbol: labels.map(symbol), opacity: .9, ring: labels.map((k, i) => k !== first[i]),
    }];
  };

  // Readings of the posterior, one at a time.
  const readings = read("readings");
  if (readings) {
    const [first] = readings.labels;
    const chart = Charts.draw(byId("readings-chart"), { data: partitioned(readings, first, first), layout: readings.layout });
    const turn = () => {
      const { value } = document.querySelector("input[name=reading]:checked");
      byId("reading").textContent = readings.words[value];
      chart.update(partitioned(readings, readings.labels[value], first));
    };
    document.querySelectorAll("input[name=reading]").forEach((input) => input.addEventListener("change", turn));
    turn();
  }

  // The credible ball: the slider goes from the estimate to the edge.
  const ball = read("ball");
  if (ball) {
    const element = byId("ball-chart"), step = byId("step");
    const way = () => ball.ways[document.querySelector("input[name=way]:checked").value];
    const center = ball.ways[0].labels[0];
    const points = (labels) => partitioned(ball, labels, center);
    const chart = Charts.draw(element, { data: points(center), layout: ball.layout });
    const move = () => {
      const { labels, words } = way();
      step.max = labels.length - 1;
      const at = Math.min(step.value, labels.length - 1);
      byId("where").textContent = words[at];
      chart.update(points(labels[at]));
    };
    step.addEventListener("input", move);
    document.querySelectorAll("input[name=way]").forEach((input) => input.addEventListener("change", move));
    move();
  }

  // The similarity map: frames of clusters, and the block that one points at.
  const map = read("similarity");
  if (map) {
    const frame = byId("similarity-frame");
    if (map.between !== null) map.clusters.forEach((_, i) => {
      const box = make("b"), start = 100 * map.edges[i] + "%", size = 100 * (map.edges[i + 1] - map.edges[i]) + "%";
      Object.assign(box.style, { left: start, top: start, width: size, height: size, borderColor: map.colors[i] });
      frame.append(box);
    });
    const block = (share) => Math.max(0, map.edges.findIndex((edge, i) => i > 0 && share < edge) - 1);
    if (map.between === null) byId("pair").hidden = true;
    else frame.addEventListener("pointermove", (event) => {
      const area = frame.getBoundingClientRect();
      const row = block((event.clientY - area.top) / area.height), column = block((event.clientX - area.left) / area.width);
      const [one, other] = [map.clusters[row], map.clusters[column]], value = map.between[row][column].toFixed(2);
      byId("pair").textContent = one === other
        ? `Two items of cluster ${one} are together with probability ${value}.`
        : `An item of cluster ${one} and one of cluster ${other} are together with probability ${value}.`;
    });
  }
})();
