int main()
{
    int v0 = missing0; //~ error
    int v1 = missing1; //~ error
    int v2 = missing2; //~ error
    int v3 = missing3; //~ error
    int v4 = missing4; //~ error
    int v5 = missing5; //~ error
    int v6 = missing6; //~ error
    int v7 = missing7; //~ error
    int v8 = missing8; //~ error
    int v9 = missing9; //~ error
    int v10 = missing10; //~ error
    int v11 = missing11; //~ error
    int v12 = missing12; //~ error
    int v13 = missing13; //~ error
    int v14 = missing14; //~ error
    int v15 = missing15; //~ error
    int v16 = missing16; //~ error
    int v17 = missing17; //~ error
    int v18 = missing18; //~ error
    int v19 = missing19; //~ error
    int v20 = missing20; //~ error
    int v21 = missing21; //~ error
    int v22 = missing22; //~ error
    int v23 = missing23; //~ error
    int v24 = missing24; //~ error
    int v25 = missing25; //~ error
    int v26 = missing26; //~ error
    int v27 = missing27; //~ error
    int v28 = missing28; //~ error
    int v29 = missing29; //~ error
    return 0;
}
