/* The page to touch: one state, and what is drawn follows from it. Texts of users become text nodes, never markup. */
(function () {
  "use strict";

  var data = JSON.parse(document.getElementById("data").textContent);
  var N = data.ids.length, COLOURS = data.colours, ROWS = 200, REACH = 24, NUMBER = 16, FEW = 8;
  var NUMERIC = ["#440154", "#414487", "#2a788e", "#22a884", "#7ad151", "#fde725"];
  var state = {
    partition: 0, map: Object.keys(data.maps)[0], colour: "cluster", hidden: new Set(), query: "", selected: -1,
    sort: "cluster", down: false, all: false, lit: 0
  };
  // What was changed by hand, for each partition, and what it was before each change.
  var edited = data.partitions.map(function (one, at) {
    var names = Array.from({ length: size(one.labels) }, function (_, k) { return "cluster " + (k + 1); });
    return { labels: one.labels.slice(), names: names, history: [], kept: true };
  });
  var place = new Map(data.shown.map(function (item, row) { return [item, row]; }));
  var parts = [], outside = new Set(data.outside);
  // Empty of sequences in no cluster.
  var memberships = data.memberships.map(filled), silhouettes = data.silhouettes.map(filled);

  function filled(value) { return value === null ? "" : value; }
  function byId(name) { return document.getElementById(name); }
  function size(labels) { return 1 + labels.reduce(function (a, b) { return Math.max(a, b); }, 0); }
  function now() { return edited[state.partition]; }
  /* -1 of what is in no cluster. */
  function cluster(item) { return now().labels[item]; }
  function nameOf(k) { return k < 0 ? data.none : now().names[k]; }
  function fitsNone(item) { return cluster(item) < 0 || state.partition === 0 && now().kept && outside.has(item); }
  /* Of many clusters one is in colour, all others are grey. */
  function isMany() { return state.colour === "cluster" && there().length > FEW; }
  /* Number and class of a cluster: clusters that were found have those of the tree of groups. */
  function lookOf(k) { return state.partition === 0 && data.looks[k] || [String(k + 1), "k" + k % COLOURS]; }
  function ink(k) { return k < 0 ? "out" : isMany() ? "k" + +(k !== state.lit) : lookOf(k)[1]; }

  function badge(k) { return k < 0 ? make("span", { class: "dot ring" }) : make("span", { class: "dot " + ink(k) }, lookOf(k)[0]); }
  function counts() {
    var found = now().names.map(function () { return 0; });
    now().labels.forEach(function (k, item) { if (!fitsNone(item)) found[k] += 1; });
    return found;
  }
  function there() {
    var found = counts();
    return found.map(function (_, k) { return k; }).filter(function (k) { return found[k] > 0; });
  }
  function short(value) { return Number(value).toPrecision(3).replace(/\.?0+$/, ""); }

  /* What a sequence is coloured by: a class of the palette, or a colour on a scale. */
  function valuesOf(name) {
    if (name === "length") return data.lengths;
    if (name === "membership") return memberships;
    return name === "label" ? data.labels : data.columns[name];
  }
  function colouring() {
    if (state.colour === "cluster") return { of: function (item) { return { look: fitsNone(item) ? "out" : ink(cluster(item)) }; }, key: [] };
    var column = valuesOf(state.colour);
    if (isScale(column)) {
      column = column.map(function (v) { return v === "" ? NaN : Number(v); });
      var low = Infinity, high = -Infinity;
      column.forEach(function (v) { if (!isNaN(v)) { low = Math.min(low, v); high = Math.max(high, v); } });
      return {
        of: function (item) { return { ink: isNaN(column[item]) ? "#999999" : shade(high > low ? (column[item] - low) / (high - low) : 0.5) }; },
        scale: [short(low), short(high)], key: []
      };
    }
    var kinds = Array.from(new Set(column)).sort(), rank = new Map(kinds.map(function (v, k) { return [v, k]; }));
    return { of: function (item) { return { look: "k" + rank.get(column[item]) % COLOURS }; }, key: kinds };
  }
  /* Whether a column is of numbers that are more than names of a few kinds. */
  function isScale(column) {
    if (column.some(function (v) { return typeof v === "number"; })) return true;
    return new Set(column).size > COLOURS && column.every(function (v) { return v === "" || isFinite(v); });
  }
  function shade(part) {
    var at = part * (NUMERIC.length - 1), first = Math.min(Math.floor(at), NUMERIC.length - 2);
    var mixed = [1, 3, 5].map(function (from) {
      var a = parseInt(NUMERIC[first].substr(from, 2), 16), b = parseInt(NUMERIC[first + 1].substr(from, 2), 16);
      return Math.round(a + (b - a) * (at - first));
    });
    return "rgb(" + mixed.join(",") + ")";
  }

  function matches(item) {
    var words = state.query.toLowerCase().split(/\s+/).filter(Boolean);
    var text = (data.ids[item] + " " + (data.labels ? data.labels[item] : "") + " " + nameOf(cluster(item))).toLowerCase();
    return words.every(function (word) { return text.includes(word); });
  }

  /* A rectangle for each row of a strip of groups, with the look of the first one. */
  function perRow(strip) {
    var first = strip.firstElementChild, step = +strip.dataset.step;
    strip.replaceChildren.apply(strip, data.order.map(function (item, row) {
      var one = first.cloneNode();
      one.setAttribute("data-i", item);
      one.setAttribute(strip.dataset.along, (row * step).toFixed(2));
      one.setAttribute(strip.dataset.across, step.toFixed(2));
      return one;
    }));
  }
  /* Everything that belongs to a sequence carries its position in data-i, on whatever figure it is. */
  function collect() {
    parts = Array.from({ length: N }, function () { return []; });
    document.querySelectorAll("[data-i]").forEach(function (one) { parts[+one.dataset.i].push(one); });
  }
  function paint() {
    var look = colouring();
    parts.forEach(function (own, item) {
      var seen = look.of(item), gone = state.hidden.has(cluster(item)), dim = state.query !== "" && !matches(item);
      own.forEach(function (one) {
        if (one.hasAttribute("data-plain")) return;
        var marked = one.classList.contains("marked") ? " marked" : "", chosen = item === state.selected ? " selected" : "";
        var look = (seen.look || "scaled") + (gone ? " gone" : "") + (dim ? " dim" : "") + marked + chosen;
        // Of thousands, few change.
        if (one.getAttribute("class") !== look) one.setAttribute("class", look);
        if (seen.ink) one.setAttribute("style", "--ink:" + seen.ink);
        else if (one.hasAttribute("style")) one.removeAttribute("style");
      });
    });
    numbersOnMap();
    document.documentElement.classList.toggle("changed", !(state.partition === 0 && now().kept && state.colour === "cluster"));
    legend(look);
    corrections();
    rows();
    detail();
    byId("edited").hidden = now().kept;
    byId("elsewhere").hidden = state.partition === 0 && now().kept;
  }

  /* Numbers of the groups in the middle of their dots. */
  function numbersOnMap() {
    var map = byId("map"), at = data.maps[state.map];
    if (!map) return;
    function middle(list) { return list.sort(function (a, b) { return a - b; })[list.length >> 1]; }
    var placed = [];
    map.querySelector(".centres").replaceChildren.apply(map.querySelector(".centres"), there().map(function (one) {
      var rows = data.shown.map(function (_, row) { return row; }).filter(function (row) {
        var item = data.shown[row];
        return !fitsNone(item) && !state.hidden.has(cluster(item)) && cluster(item) === one;
      });
      var text = document.createElementNS(map.namespaceURI, "text");
      if (state.colour === "cluster" && rows.length) {
        var across = rows.map(function (row) { return at[2 * row]; }), down = rows.map(function (row) { return at[2 * row + 1]; });
        var x = middle(across), y = middle(down), span = Math.max(across[across.length - 1] - across[0], down[down.length - 1] - down[0]);
        // Next to dots that it would hide, and below numbers that it would cover.
        y += span >= 2 * NUMBER ? 0 : y < 2 * NUMBER ? NUMBER : -NUMBER;
        while (placed.some(function (other) { return Math.abs(other[0] - x) < 2 * NUMBER && Math.abs(other[1] - y) < NUMBER; })) y += NUMBER / 2;
        placed.push([x, y]);
        text.setAttribute("x", x);
        text.setAttribute("y", y);
        text.textContent = lookOf(one)[0];
      }
      return text;
    }));
  }
  function legend(look) {
    var box = byId("legend"), sizes = counts();
    box.replaceChildren();
    there().forEach(function (k) {
      var many = isMany();
      box.append(make("button", {
        type: "button", class: many ? "one" : false, "aria-pressed": String(many ? k === state.lit : !state.hidden.has(k)), title: many ? "in colour" : "show or hide",
        onclick: function () {
          if (many) state.lit = k;
          else if (!state.hidden.delete(k)) state.hidden.add(k);
          paint();
          byId("legend").children[there().indexOf(k)].focus();
        }
      }, badge(k), now().names[k] + " (" + sizes[k] + ")"));
    });
    if (data.outside.some(fitsNone)) box.append(make("span", { class: "out" }, make("span", { class: "dot ring" }), data.none + " (" + data.outside.filter(fitsNone).length + ")"));
    var key = byId("key");
    key.replaceChildren();
    look.key.slice(0, 40).forEach(function (kind, k) {
      key.append(make("span", {}, make("span", { class: "swatch k" + k % COLOURS }), kind || "(none)"));
    });
    if (look.scale) key.append(make("span", {}, look.scale[0], make("span", { class: "ramp" }), look.scale[1]));
    key.hidden = !look.key.length && !look.scale;
  }

  /* One sequence marked in all figures: for a moment under the pointer, or selected until another one is. */
  function mark(items) {
    document.querySelectorAll(".marked").forEach(function (one) { one.classList.remove("marked"); });
    items.forEach(function (item) { parts[item].forEach(function (one) { one.classList.add("marked"); }); });
    cross(items.length ? items : state.selected < 0 ? [] : [state.selected]);
  }
  function cross(items) {
    var heat = byId("heat"), tree = byId("tree"), n = data.order.length;
    if (heat) {
      var at = items.map(function (item) { return data.order.indexOf(item); }).filter(function (row) { return row >= 0; });
      var row = at.length ? at[0] : -2, column = at.length > 1 ? at[1] : row;
      heat.querySelector(".row").setAttribute("y", row);
      heat.querySelector(".column").setAttribute("x", column);
      heat.classList.toggle("crossed", n > 0 && row >= 0);
    }
    if (tree) {
      var width = tree.viewBox.baseVal.width, d = "";
      items.forEach(function (item) {
        var leaf = data.order.indexOf(item);
        if (leaf >= 0) d += "M" + (leaf + 0.5) * width / data.order.length + " 0V242";
      });
      tree.querySelector(".pin").setAttribute("d", d || "M0 0");
    }
  }
  function select(item, focus) {
    state.selected = item;
    document.querySelectorAll(".selected").forEach(function (one) { one.classList.remove("selected"); });
    document.querySelectorAll("#map [tabindex='0']").forEach(function (one) { one.setAttribute("tabindex", "-1"); });
    if (item >= 0) {
      parts[item].forEach(function (one) {
        if (!one.hasAttribute("data-plain")) one.classList.add("selected");
        if (one.closest("#map")) {
          one.setAttribute("tabindex", "0");
          if (focus) one.focus();
        }
      });
    }
    mark([]);
    detail();
  }

  function detail() {
    var box = byId("detail"), item = state.selected;
    box.replaceChildren();
    box.classList.toggle("empty", item < 0);
    if (item < 0) return;
    var k = cluster(item), facts = make("dl", {});
    function fact(name, value) { facts.append(make("dt", {}, name), make("dd", {}, value)); }
    box.append(make("button", { type: "button", class: "close", "aria-label": "close", onclick: function () { select(-1); } }, "×"), make("h3", {}, data.ids[item]));
    box.append(drawn(item));
    if (data.sounds[item]) box.append(player(item));
    if (data.recordings && !(data.sounds[item] && !data.sounds[item][1])) box.append(make("p", {}, make("a", { href: data.recordings + (data.places ? data.places[item] : data.ids[item].split("/").map(encodeURIComponent).join("/")) }, "the whole recording")));
    fact("cluster", make("span", {}, badge(cluster(item)), nameOf(k)));
    if (data.memberships[item] !== null) {
      fact("membership", data.memberships[item].toFixed(2) + " (1 like its own, 0.5 on the border)");
      fact("silhouette", data.silhouettes[item].toFixed(2));
    }
    if (data.labels) fact("label", data.labels[item]);
    Object.keys(data.columns).forEach(function (name) { fact(name, data.columns[name][item]); });
    box.append(facts);
    var near = make("ol", { class: "near" });
    data.neighbours[item].forEach(function (other, place) {
      near.append(make("li", {}, make("button", {
        type: "button", onclick: function () { select(other); }, onpointerenter: function () { mark([item, other]); }, onpointerleave: function () { mark([]); }
      }, badge(cluster(other)), data.ids[other]), make("span", { class: "soft" }, " " + data.away[item][place])));
    });
    box.append(make("h4", {}, "Nearest"), near);
    var to = make("select", { "aria-label": "cluster of " + data.ids[item], id: "move", onchange: function () { move(item, +to.value); byId("move").focus(); } });
    if (k < 0) to.append(make("option", { value: k, selected: true }, nameOf(k)));
    there().concat([now().names.length]).forEach(function (j) {
      to.append(make("option", { value: j, selected: j === k }, j < now().names.length ? now().names[j] : "a new cluster"));
    });
    box.append(make("label", {}, "move to ", to));
  }
  function player(item) {
    var sound = make("audio", { controls: true, preload: "none", "aria-label": data.ids[item], src: "data:audio/mpeg;base64," + data.sounds[item][0] });
    return make("div", {}, sound, make("div", { class: "soft" }, data.sounds[item][1]));
  }
  /* The small figure of a sequence, larger: an image, or curves on one scale of time. */
  function drawn(item) {
    var row = place.get(item), packed = row === undefined ? "" : data.thumbnails[row];
    var figure = make("figure", { class: "large" });
    if (!packed) return figure;
    if (!data.curves.length) {
      figure.append(make("img", { class: data.top ? false : "coloured", alt: "The sequence " + data.ids[item] + ", time from left to right", src: "data:image/png;base64," + packed }));
    } else {
      var bytes = atob(packed), points = bytes.length / data.curves.length, width = data.longest ? 300 * data.lengths[item] / data.longest : 300;
      var svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      svg.setAttribute("viewBox", "0 0 300 120");
      data.curves.forEach(function (_, column) {
        var line = document.createElementNS(svg.namespaceURI, "polyline"), at = "";
        for (var j = 0; j < points; j += 1) {
          at += (points > 1 ? width * j / (points - 1) : 0).toFixed(1) + "," + (116 - 112 * bytes.charCodeAt(column * points + j) / 255).toFixed(1) + " ";
        }
        line.setAttribute("points", at);
        line.setAttribute("class", "line" + column);
        svg.append(line);
      });
      figure.append(svg);
    }
    // The axis ends where the curve does.
    var axis = make("div", { class: "axis" }, make("span", {}, "0"), make("span", {}, data.times[item]));
    if (data.curves.length && data.longest) axis.style.width = 100 * data.lengths[item] / data.longest + "%";
    figure.append(axis);
    var said = make("figcaption", {});
    if (data.top) said.append("up to " + data.top);
    data.curves.forEach(function (column, k) {
      said.append(make("span", { class: "line line" + k }, column[0] + ": " + column[2] + " to " + column[3] + (column[1] ? " " + column[1] : "")), " ");
    });
    figure.append(said);
    return figure;
  }

  /* The table. */
  function head(name, key, numeric) {
    return { name: name, key: key, numeric: numeric };
  }
  function columnsOfTable() {
    var found = [head("sequence", "name", false), head("cluster", "cluster", false), head("membership", "membership", true), head("silhouette", "silhouette", true)];
    if (data.lengths) found.push(head("frames", "length", true));
    if (data.labels) found.push(head("label", "label", false));
    Object.keys(data.columns).forEach(function (name) { found.push(head(name, name, false)); });
    return found;
  }
  function keyOf(name) {
    if (name === "name") return function (item) { return data.ids[item]; };
    if (name === "cluster") return cluster;
    if (name === "silhouette") return function (item) { return silhouettes[item]; };
    var column = valuesOf(name);
    return function (item) { return column[item]; };
  }
  function rows() {
    var table = byId("table"), key = keyOf(state.sort), columns = columnsOfTable(), found = [];
    for (var i = 0; i < N; i += 1) if (!state.hidden.has(cluster(i)) && matches(i)) found.push(i);
    byId("count").textContent = state.query || state.hidden.size ? found.length + " of " + N + " sequences" : "";
    if (!byId("list").open) return;
    var collator = new Intl.Collator("en", { numeric: true });
    found.sort(function (a, b) {
      var x = key(a), y = key(b), order = x === y ? 0 : x === "" ? -1 : y === "" ? 1 : typeof x === "number" ? x - y : collator.compare(x, y);
      return (state.down ? -order : order) || a - b;
    });
    var header = make("tr", {});
    columns.forEach(function (column) {
      var own = state.sort === column.key;
      header.append(make("th", { scope: "col", class: column.numeric ? "num" : false, "aria-sort": own ? (state.down ? "descending" : "ascending") : false },
        make("button", {
          type: "button", onclick: function () {
            state.down = own && !state.down;
            state.sort = column.key;
            rows();
            table.querySelector("[aria-sort] button").focus();
          }
        }, column.name + (own ? (state.down ? " ▾" : " ▴") : ""))));
    });
    header.append(make("th", { scope: "col" }, "nearest, nearest first"));
    table.tHead.replaceChildren(header);
    var body = table.tBodies[0], some = state.all ? found : found.slice(0, ROWS);
    body.replaceChildren();
    some.forEach(function (item) {
      var line = make("tr", { "data-i": item, "data-plain": true, onpointerenter: function () { mark([item]); }, onpointerleave: function () { mark([]); } });
      columns.forEach(function (column) {
        var shown;
        if (column.key === "name") shown = make("button", { type: "button", onclick: function () { select(item); } }, data.ids[item]);
        else if (column.key === "cluster") shown = make("span", {}, badge(cluster(item)), nameOf(cluster(item)));
        else shown = column.numeric && column.key !== "length" && keyOf(column.key)(item) !== "" ? keyOf(column.key)(item).toFixed(2) : String(keyOf(column.key)(item));
        line.append(make("td", { class: column.numeric ? "num" : false }, shown));
      });
      var near = make("td", { class: "wide" });
      data.neighbours[item].forEach(function (other, j) {
        near.append(j ? ", " : "", make("span", { class: "name " + ink(cluster(other)) }, data.ids[other]));
      });
      line.append(near);
      body.append(line);
    });
    byId("more").hidden = some.length === found.length;
    byId("more").textContent = "show all " + found.length;
    collect();
  }

  /* Corrections by hand; what is exported are names as labels. */
  function change(how) {
    var own = now();
    own.history.push({ labels: own.labels.slice(), names: own.names.slice(), kept: own.kept });
    how(own);
    own.kept = false;
    paint();
  }
  function move(item, k) {
    change(function (own) {
      if (k === own.names.length) own.names.push("cluster " + (k + 1));
      own.labels[item] = k;
    });
  }
  function merge(from, to) {
    change(function (own) { own.labels = own.labels.map(function (k) { return k === from ? to : k; }); });
  }
  function rename(k, name) {
    if (name && name !== now().names[k]) change(function (own) { own.names[k] = name; });
  }
  function undo() {
    var own = now(), last = own.history.pop();
    if (last) Object.assign(own, last);
    paint();
  }
  function corrections() {
    var box = byId("corrections"), sizes = counts();
    box.replaceChildren();
    there().forEach(function (k) {
      var name = make("input", { type: "text", value: now().names[k], "aria-label": "name of cluster " + (k + 1), "data-cluster": k, onchange: function () { rename(k, name.value.trim()); } });
      var into = make("select", { "aria-label": "merge cluster " + (k + 1) + " into", onchange: function () { merge(k, +into.value); } }, make("option", { value: "" }, "merge into …"));
      there().forEach(function (j) { if (j !== k) into.append(make("option", { value: j }, now().names[j])); });
      box.append(make("li", {}, badge(k), name, make("span", { class: "soft" }, " " + sizes[k] + " "), into));
    });
    byId("undo").disabled = !now().history.length;
  }

  /* What is taken away. */
  function cell(value) {
    var text = String(value);
    return /[",\n\r]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
  }
  function shielded(text) {
    // As the tables next to the page: spreadsheets compute what looks like a formula, unless an apostrophe stands before it.
    return /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text) && !/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) ? "'" + text : text;
  }
  function numbered(k) { return k < 0 ? -1 : k + 1; }
  function fixed(value) { return value === null ? "" : value.toFixed(4); }
  function csv(table) {
    return table.map(function (line) { return line.map(cell).join(",") + "\n"; }).join("");
  }
  function labelsTable() {
    return [["id", "label"]].concat(data.ids.map(function (id, item) { return [shielded(id), cluster(item) < 0 ? "" : shielded(now().names[cluster(item)])]; }));
  }
  function partitionTable() {
    var few = data.neighbours.length ? Math.min(data.exported, data.neighbours[0].length) : 0, typical = new Set(data.typical);
    var header = ["id", "cluster", "silhouette", "membership", "typical"];
    for (var j = 1; j <= few; j += 1) header.push("neighbour_" + j);
    data.views.forEach(function (view) { header.push("cluster_" + view.name); });
    if (data.labels) header.push("label");
    return [header].concat(data.ids.map(function (id, item) {
      var line = [shielded(id), numbered(data.partitions[0].labels[item]), fixed(data.silhouettes[item]), fixed(data.memberships[item]), typical.has(item) ? "yes" : ""];
      data.neighbours[item].slice(0, few).forEach(function (other) { line.push(shielded(data.ids[other])); });
      data.views.forEach(function (view) { line.push(numbered(view.labels[item])); });
      return data.labels ? line.concat([shielded(data.labels[item])]) : line;
    }));
  }
  /* Figures under the pointer and the keyboard. */
  function itemAt(event) {
    var heat = event.target.closest("#heat"), tree = event.target.closest("#tree"), map = event.target.closest("#map");
    if (map) return nearestDot(map, event);
    var own = event.target.closest("[data-i]");
    if (own) return [+own.dataset.i];
    if (!heat && !tree) return [];
    var figure = heat || tree, box = figure.getBoundingClientRect(), view = figure.viewBox.baseVal;
    var x = view.x + (event.clientX - box.left) / box.width * view.width, y = view.y + (event.clientY - box.top) / box.height * view.height;
    if (tree) return [data.order[Math.min(data.order.length - 1, Math.max(0, Math.floor(x / view.width * data.order.length)))]];
    var row = data.order[Math.floor(y)], column = data.order[Math.floor(x)];
    return [row, column].filter(function (item) { return item !== undefined; });
  }
  function dots() { return Array.from(document.querySelectorAll("#map [data-i]")).filter(function (one) { return !one.classList.contains("gone"); }); }
  function centre(dot) {
    var at = data.maps[state.map], row = place.get(+dot.dataset.i);
    return [at[2 * row], at[2 * row + 1]];
  }
  function nearestDot(map, event) {
    var box = map.getBoundingClientRect(), scale = map.viewBox.baseVal.width / box.width, best = [], least = REACH * scale;
    var x = (event.clientX - box.left) * scale, y = (event.clientY - box.top) * scale;
    dots().forEach(function (dot) {
      var at = centre(dot), away = Math.hypot(at[0] - x, at[1] - y);
      if (away < least) { least = away; best = [+dot.dataset.i]; }
    });
    return best;
  }
  /* The nearest dot in the direction of an arrow key, those straight ahead first. */
  function ahead(dot, key) {
    var from = centre(dot), step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key], best = null, least = Infinity;
    dots().forEach(function (other) {
      var at = centre(other), x = at[0] - from[0], y = at[1] - from[1], forth = x * step[0] + y * step[1], aside = Math.abs(x * step[1]) + Math.abs(y * step[0]);
      if (other !== dot && forth > 0 && aside <= 2 * forth && forth + 2 * aside < least) { least = forth + 2 * aside; best = other; }
    });
    return best;
  }
  function relocate() {
    document.querySelectorAll("#map [data-i]").forEach(function (dot) {
      var at = centre(dot);
      if (at[0] !== undefined) dot.setAttribute("transform", "translate(" + at[0] + " " + at[1] + ")");
    });
    byId("map").setAttribute("aria-label", "Map of the sequences by " + state.map + ", on which near points are similar");
    byId("method").textContent = state.map;
  }

  function choose(name, entries, value, change) {
    var box = byId(name);
    entries.forEach(function (entry) { box.append(make("option", { value: entry[0], selected: entry[0] === value }, entry[1])); });
    box.addEventListener("change", function () { change(box.value); paint(); });
    box.parentNode.hidden = entries.length < 2;
  }
  function start() {
    choose("partitions", data.partitions.map(function (one, at) { return [String(at), one.name]; }), "0", function (value) {
      state.partition = +value;
      state.hidden.clear();
    });
    if (byId("map")) choose("maps", Object.keys(data.maps).map(function (name) { return [name, name]; }), state.map, function (value) {
      state.map = value;
      relocate();
    });
    var kinds = ["cluster", "membership"].concat(data.labels ? ["label"] : [], data.lengths ? ["length"] : [], Object.keys(data.columns));
    choose("colours", kinds.map(function (name) { return [name, name]; }), "cluster", function (value) { state.colour = value; });
    byId("search").addEventListener("input", function (event) { state.query = event.target.value.trim(); paint(); });
    byId("search").addEventListener("keydown", function (event) {
      if (event.key !== "Enter") return;
      var first = data.ids.findIndex(function (_, item) { return !state.hidden.has(cluster(item)) && matches(item); });
      if (first >= 0) select(first);
    });
    byId("list").addEventListener("toggle", rows);
    byId("more").addEventListener("click", function () { state.all = true; rows(); });
    byId("undo").addEventListener("click", undo);
    document.querySelectorAll("[data-table]").forEach(function (button) {
      button.addEventListener("click", function () {
        var made = { labels: labelsTable, partition: partitionTable }[button.dataset.table];
        save(button.dataset.table + ".csv", made ? csv(made()) : data[button.dataset.table], "text/csv");
        if (button.dataset.table === "labels") edited.forEach(function (own) { own.saved = own.history.length; });
      });
    });
    document.querySelectorAll("[data-figure]").forEach(function (button) {
      var found = byId(button.dataset.figure), figure = found && (found.tagName === "DIV" ? found.querySelector("svg") : found);
      offers(button, figure);
    });
    document.querySelectorAll(".touch").forEach(function (figure) {
      figure.addEventListener("pointermove", function (event) { mark(itemAt(event)); });
      figure.addEventListener("pointerleave", function () { mark([]); });
      figure.addEventListener("click", function (event) {
        var items = itemAt(event);
        if (items.length) select(items[0]);
      });
    });
    document.querySelectorAll(".examples [data-i]").forEach(function (box) {
      if (data.sounds[box.dataset.i]) box.append(player(box.dataset.i));
    });
    document.querySelectorAll("[data-select]").forEach(function (button) {
      var item = +button.dataset.select;
      button.addEventListener("pointerenter", function () { mark([item]); });
      button.addEventListener("pointerleave", function () { mark([]); });
      button.addEventListener("click", function () { select(item); });
    });
    var map = byId("map");
    if (map) {
      map.querySelectorAll("[data-i]").forEach(function (dot, at) {
        dot.setAttribute("role", "button");
        if (!dot.firstElementChild) dot.setAttribute("aria-label", data.ids[dot.dataset.i]);
        dot.setAttribute("tabindex", at ? "-1" : "0");
      });
      map.addEventListener("focusin", function (event) { if (event.target.dataset.i) mark([+event.target.dataset.i]); });
      map.addEventListener("keydown", function (event) {
        var dot = event.target.closest("[data-i]");
        if (!dot) return;
        if (event.key.slice(0, 5) === "Arrow") {
          event.preventDefault();
          var next = ahead(dot, event.key);
          if (next) select(+next.dataset.i, true);
        } else if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          select(+dot.dataset.i);
        }
      });
    }
    // A link into a fold opens it, and every fold around it.
    document.querySelectorAll("a[href^='#']").forEach(function (link) {
      link.addEventListener("click", function () {
        for (var one = byId(link.getAttribute("href").slice(1)); one; one = one.parentElement) if (one.tagName === "DETAILS") one.open = true;
      });
    });
    // One is heard at a time. Events of players do not bubble.
    document.addEventListener("play", function (event) {
      document.querySelectorAll("audio").forEach(function (other) { if (other !== event.target) other.pause(); });
    }, true);
    document.addEventListener("keydown", function (event) { if (event.key === "Escape") select(-1); });
    window.addEventListener("beforeunload", function (event) {
      if (edited.some(function (own) { return own.history.length > (own.saved || 0); })) event.preventDefault();
    });
    // On a phone the map comes first.
    byId("controls").open = !matchMedia("(max-width:640px)").matches;
    document.documentElement.classList.add("live");
    document.querySelectorAll(".strip[data-step]").forEach(perRow);
    collect();
    paint();
  }
  start();
})();
