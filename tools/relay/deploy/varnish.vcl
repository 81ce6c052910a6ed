vcl 4.1;
# A cache before two nodes, for Varnish 7.1 of Debian. `tools/relay/cache-bench` fills in NODE_ONE and NODE_TWO, and
# starts it with the options that follow:
#
#   varnishd -a 127.0.0.1:8090 -f varnish.vcl \
#     -s lines=malloc,1g -p http_gzip_support=off -p workspace_client=40k -p http_req_size=12k -p listen_depth=4096 \
#     -p thread_pools=1 -p thread_pool_add_delay=0.02 -p thread_queue_limit=20000
#
# Without the last three, thousands who are woken at once get a thread each, or are dropped.
#
# Who waits at one position asks one question, so one request goes to a node for all of them. Varnish wakes them
# when the answer comes.
#
# A request for lines goes through here twice: first as a question to the relay's /auth, whose word on a token is
# kept for 5 seconds; then, if the word is 204, for the lines. X-Asks says which of the two it is. A client's own
# X-Asks is removed, so nobody gets to the lines without a word.
import directors;
import std;

probe ready {
  .url = "/ready";
  .interval = 1s;
  .timeout = 2s;
  .window = 2;
  .threshold = 1;
  .initial = 0;
}
backend one {
  .host = "127.0.0.1";
  .port = "NODE_ONE";
  .connect_timeout = 2s;
  .first_byte_timeout = 75s;
  .between_bytes_timeout = 75s;
  .probe = ready;
}
backend two {
  .host = "127.0.0.1";
  .port = "NODE_TWO";
  .connect_timeout = 2s;
  .first_byte_timeout = 75s;
  .between_bytes_timeout = 75s;
  .probe = ready;
}

sub vcl_init {
  new relay = directors.round_robin();
  relay.add_backend(one);
  relay.add_backend(two);
}

sub vcl_recv {
  if (req.restarts == 0) {
    unset req.http.X-Asks;
    unset req.http.X-Original-URI;
    # Two tokens are refused by the relay, not the first of them looked up here.
    std.collect(req.http.Authorization);
  }
  set req.backend_hint = relay.backend();
  # The address as it was sent: nothing is made equal to something else.
  if (req.url ~ "^/feed(\?|$)") {
    if (req.method == "GET") {
      if (req.http.X-Asks != "lines") { set req.http.X-Asks = "a word"; }
      # What is compressed is kept apart by Vary. A part of an answer is one of its uncompressed bytes.
      if (req.http.Range || req.http.Accept-Encoding !~ "(?i)\bgzip\b"
        || req.http.Accept-Encoding ~ "(?i)\bgzip *; *q=0(\.0*)? *(,|$)") {
        unset req.http.Accept-Encoding;
      } else {
        set req.http.Accept-Encoding = "gzip";
      }
      set req.http.Accept = "application/x-ndjson";
      return (hash);
    }
  } elsif (req.url !~ "^/(append|list|lists|copy|moved)(\?|$)") {
    return (synth(404));
  }
  # Kept until the relay has answered, so that it can be sent to the other node.
  if (std.integer(req.http.Content-Length, 0) > 16777216) { return (synth(413)); }
  if (!std.cache_req_body(16MB)) { return (synth(413)); }
  return (pass);
}

sub vcl_hash {
  hash_data(req.http.X-Asks);
  if (req.http.X-Asks == "a word") {
    # It is the same at each position of a list, so a commit raises no question. Any other address may be refused for
    # what it says, and has a word of its own.
    hash_data(regsub(req.url,
      "^(/feed\?list=[A-Za-z0-9._~%-]+)&after=(0|[1-9][0-9]{0,17})(:[0-9a-f]{32})?(&wait=[0-9]{1,4})?$", "\1"));
    hash_data(req.http.Authorization);
  } else {
    hash_data(req.url);
  }
  return (lookup);
}

sub vcl_backend_fetch {
  if (bereq.http.X-Asks == "a word" && bereq.url != "/auth") {
    set bereq.http.X-Original-URI = bereq.url;
    set bereq.url = "/auth";
  }
}

sub vcl_backend_response {
  # What is over is not sent, also not while a newer one is fetched.
  set beresp.grace = 0s;
  set beresp.keep = 0s;
  if (bereq.uncacheable) { return (deliver); }
  if (bereq.http.X-Asks == "a word") {
    set beresp.ttl = 0s;
    # A revoked token asks on for as long. It may be 100s.
    if (beresp.status == 204 || beresp.status == 401 || beresp.status == 403) { set beresp.ttl = 5s; }
    return (deliver);
  }
  # Answers say how long they may be kept. One that may not is for who has asked, whose token may have been revoked
  # meanwhile: of the others, the next one asks.
  if (beresp.http.Cache-Control ~ "no-store") { set beresp.ttl = 0s; }
  # Of a node that does not serve, all are told so at once.
  if (beresp.status == 503) { set beresp.ttl = 1s; }
  return (deliver);
}

sub vcl_backend_error {
  # The other node is asked; for an edit, too, which has an id. Another POST may have been done.
  if (bereq.retries == 0 && (bereq.method != "POST" || bereq.url ~ "^/feed(\?|$)")) { return (retry); }
  # All who wait are told so at once; they ask again after a pause.
  set beresp.status = 503;
  set beresp.http.Retry-After = "1";
  set beresp.ttl = 1s;
  set beresp.grace = 0s;
  set beresp.keep = 0s;
  return (deliver);
}

sub vcl_deliver {
  if (req.http.X-Asks == "a word" && resp.status == 204) {
    set req.http.X-Asks = "lines";
    return (restart);
  }
}
